// Makes the root certificate.

import type { Transaction } from '../../shared/ground/store/database.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { Answer, MutationContext } from '../../shared/kernel/operation/operation.ts';
import { createRoot, type PreparedRoot, prepareRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'createRootCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/root`,
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Make the root certificate',
  description:
    'Changes application state immediately: makes a key pair and a root certificate as the saved settings say. Its private key is stored sealed and never leaves the appliance. It may sign servers, and no further authority. Refused while custody is off, and while there is one that can sign; one that expired, is not valid yet, or whose private key can no longer be opened is replaced; then every client needs the new one. A key pair of RSA takes a few seconds.',
  answers: { 201: { description: 'The root certificate that was created.', schema: rootSchema, located: true } },
  problems: ['already_exists', 'state_conflict', 'vault_keys_unusable'],
  audit: ['certificate.root.create'],
  prepare: ({ services }) => prepareRoot(services.store, services),
  run: (context) => makeRoot(context, context.prepared as PreparedRoot),
});

type Context = Pick<MutationContext<unknown, unknown, unknown>, 'services' | 'actor' | 'audit'> & { tx: Transaction };

/** Makes the prepared root, with its audit event. */
export async function makeRoot({ tx, services, actor, audit }: Context, prepared: PreparedRoot): Promise<Answer> {
  const root = await createRoot(tx, services, actor.name, prepared);
  const { id, subject, sha256, serial_number, key_algorithm, not_after } = root;
  const detail = { subject, sha256, serial_number, key_algorithm, not_after };
  audit({ action: 'certificate.root.create', resource_type: 'certificate_authority', resource_id: id, detail });
  return { status: 201, body: { ...root, state: 'valid' }, headers: { location: `${AUTHORITY_PATH}/root` } };
}
