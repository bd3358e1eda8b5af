// Issues and trusts a certificate for a client's signing request.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestWithKey } from '../../shared/platform/certificate-authority/csr.ts';
import { clientSchema, clientSignSchema, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { confirmOwner, NEW_CLIENT, PASSWORD_ASKED } from '../../shared/services/kms/trust/confirm.ts';

export const operation = defineOperation({
  id: 'signKmsClient',
  method: 'POST',
  path: `${KMS_PATH}/clients/sign`,
  plane: 'api',
  access: { scope: 'write:kms' },
  effect: 'immediate',
  tag: KMS_TAG,
  summary: 'Sign a client’s request and trust it',
  description: `Changes application state immediately: the appliance’s authority issues a certificate with its profile “client”, valid for 825 days at most, and trusts exactly this certificate for the provider. Names are those of the request, or those given instead. A client gets every key of its provider. ${PASSWORD_ASKED}`,
  body: clientSignSchema,
  answers: { 201: { description: 'The client with its certificate.', schema: clientSchema, located: true } },
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
    return requestIn(body.csr);
  },
  async run({ tx, services, actor, body: { provider_id, name, names }, audit, prepared, request }) {
    const asked = prepared as RequestWithKey;
    const { issueClient } = await import('../../shared/services/kms/trust/issued-client.ts');
    const client = { provider_id, name, origin: 'signed', by: actor.name, now: instant(request.now) } as const;
    const { spki, key_algorithm, common_name } = asked;
    const wanted = { spki, key_algorithm, common_name, names: names ?? asked.names };
    const { client: made, events } = await issueClient(tx, services, client, wanted);
    for (const event of events) audit(event);
    return { status: 201, body: made, headers: { location: `${KMS_PATH}/clients/${made.id}` } };
  },
});

/** @throws Problem 422 at `/csr` */
export async function requestIn(csr: string): Promise<RequestWithKey> {
  const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
  return parseRequest(csr);
}
