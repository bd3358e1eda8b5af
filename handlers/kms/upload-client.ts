// Trusts a certificate that a client made itself.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { clientSchema, clientUploadSchema, KMS_PATH, KMS_TAG } from '../../shared/services/kms/schemas.ts';
import { readClientCertificate } from '../../shared/services/kms/trust/client-certificate.ts';
import { addClient } from '../../shared/services/kms/trust/clients.ts';
import { confirmOwner, NEW_CLIENT, PASSWORD_ASKED } from '../../shared/services/kms/trust/confirm.ts';

export const operation = defineOperation({
  id: 'uploadKmsClient',
  method: 'POST',
  path: `${KMS_PATH}/clients`,
  access: { scope: 'write:kms' },
  effect: 'immediate',
  tag: KMS_TAG,
  summary: 'Trust a client certificate',
  description: `Changes application state immediately: a client with the key of exactly this certificate may use the provider while the certificate is valid. Who signed it does not matter. A certificate that the appliance’s authority revokes is no longer trusted. A client gets every key of its provider. ${PASSWORD_ASKED}`,
  body: clientUploadSchema,
  answers: { 201: { description: 'The trusted client.', schema: clientSchema, located: true } },
  problems: ['already_exists', 'too_many_attempts'],
  audit: ['kms.client.create'],
  prepare: ({ services, actor, request, body }) => confirmOwner(services, { actor, request, body }, NEW_CLIENT),
  async run({ tx, services, actor, body: { provider_id, name, certificate: pem }, audit, request }) {
    const certificate = readClientCertificate(pem, instant(request.now));
    const trusted = { provider_id, name, origin: 'uploaded', certificate, by: actor.name } as const;
    const { client, event } = await addClient(tx, services, trusted);
    audit(event);
    return { status: 201, body: client, headers: { location: `${KMS_PATH}/clients/${client.id}` } };
  },
});
