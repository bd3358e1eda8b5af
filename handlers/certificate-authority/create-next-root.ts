// Makes the next root certificate beside the one that signs.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { type PreparedRoot, prepareKey, refuseUnready } from '../../shared/platform/certificate-authority/authority.ts';
import { keepNext, refuseNext } from '../../shared/platform/certificate-authority/next-root.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'createNextRootCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/root/next`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Make the next root certificate',
  description:
    'Changes application state immediately: makes a second root as the saved settings say, beside the one that signs. It signs nothing until it takes over, so that machines can be made to trust it first.',
  answers: { 201: { description: 'The next root certificate.', schema: rootSchema, located: true } },
  problems: ['already_exists', 'state_conflict', 'vault_keys_unusable'],
  audit: ['certificate.root.next'],
  async prepare({ services }) {
    await refuseUnready(services.store, services);
    await refuseNext(services.store);
    return prepareKey(services.store, services);
  },
  async run({ tx, services, actor, audit, prepared }) {
    const root = await keepNext(tx, services, actor.name, prepared as PreparedRoot);
    const { id, subject, sha256, serial_number, key_algorithm, not_after } = root;
    const detail = { subject, sha256, serial_number, key_algorithm, not_after };
    audit({ action: 'certificate.root.next', resource_type: 'certificate_authority', resource_id: id, detail });
    return { status: 201, body: { ...root, state: 'valid' }, headers: { location: `${AUTHORITY_PATH}/root/next` } };
  },
});
