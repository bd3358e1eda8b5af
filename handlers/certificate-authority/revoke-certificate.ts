// Revokes a certificate.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { revokeSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { revokeCertificate } from '../../shared/platform/certificate-authority/revoke.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
  issuedSchema,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'revokeCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}/revoke`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Revoke a certificate',
  description:
    'Changes application state immediately: the certificate is revoked, and the revocation list of the authority that signed it is signed again with the next number. `certificateHold` can be taken back, every other reason can’t. One of the appliance’s own services gets another certificate when it next looks for one. Clients notice once they read the list; the portal that publishes it does not run yet.',
  params: certificateParam,
  body: revokeSchema,
  answers: { 200: { description: 'The certificate as it is now.', schema: issuedSchema } },
  problems: ['resource_not_found', 'state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.revoke'],
  async run({ tx, services, params, body, audit, request }) {
    audit(await revokeCertificate(tx, services, params.certificate_id, body.revocation_reason));
    return { body: await findIssued(tx, params.certificate_id, request.now) };
  },
});
