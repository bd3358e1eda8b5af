// Takes a certificate off hold.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { releaseCertificate } from '../../shared/platform/certificate-authority/revoke.ts';
import {
  AUTHORITY_PATH,
  AUTHORITY_TAG,
  certificateParam,
  issuedSchema,
} from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'releaseCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/certificates/{certificate_id}/release`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Take a certificate off hold',
  description:
    'Changes application state immediately: a certificate that is on hold is valid again, and the revocation list is signed again without it. Refused for one that was revoked for another reason.',
  params: certificateParam,
  answers: { 200: { description: 'The certificate as it is now.', schema: issuedSchema } },
  problems: ['resource_not_found', 'state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.release'],
  async run({ tx, services, params, audit, request }) {
    audit(await releaseCertificate(tx, services, params.certificate_id));
    return { body: await findIssued(tx, params.certificate_id, request.now) };
  },
});
