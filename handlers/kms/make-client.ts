// Makes a key, and issues and trusts its certificate; the key is given once.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { NewPair } from '../../shared/platform/certificate-authority/new-key.ts';
import { clientMadeSchema, clientMakeSchema, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { confirmOwner, NEW_CLIENT, PASSWORD_ASKED } from '../../shared/services/kms/trust/confirm.ts';

export const operation = defineOperation({
  id: 'makeKmsClient',
  method: 'POST',
  path: `${KMS_PATH}/clients/with-key`,
  plane: 'api',
  access: { scope: 'write:kms' },
  effect: 'immediate',
  tag: KMS_TAG,
  summary: 'Make a certificate and key for a client',
  description: `Changes application state immediately: makes a key pair, issues its certificate by the profile “client”, valid for 825 days at most, and trusts exactly this certificate for the provider. The private key is only in this answer, as PEM: the appliance does not keep it. A signing request is better, since its key never leaves vCenter. A client gets every key of its provider. ${PASSWORD_ASKED}`,
  body: clientMakeSchema,
  answers: {
    201: {
      description: 'The client with its certificate, and its key, which is in no other answer.',
      schema: clientMadeSchema,
      located: true,
    },
  },
  problems: [
    'already_exists',
    'too_many_attempts',
    'state_conflict',
    'certificate_authority_missing',
    'vault_keys_unusable',
  ],
  audit: ['certificate.issue', 'kms.client.create'],
  async prepare({ services, actor, request, body }) {
    await confirmOwner(services, { actor, request, body }, NEW_CLIENT);
    return pairFor();
  },
  async run({ tx, services, actor, body: { provider_id, name, names }, audit, prepared, request }) {
    const { key_pem, spki, key_algorithm } = prepared as NewPair;
    const { issueClient } = await import('../../shared/services/kms/trust/issued-client.ts');
    const asked = { provider_id, name, origin: 'made', by: actor.name, now: instant(request.now) } as const;
    const wanted = { spki, key_algorithm, common_name: names[0] ?? '', names };
    const { client, events } = await issueClient(tx, services, asked, wanted);
    for (const event of events) audit(event);
    const headers = { location: `${KMS_PATH}/clients/${client.id}` };
    return { status: 201, body: { client, private_key: key_pem }, headers };
  },
});

export async function pairFor(): Promise<NewPair> {
  const { newPair } = await import('../../shared/platform/certificate-authority/new-key.ts');
  return newPair('rsa-3072');
}
