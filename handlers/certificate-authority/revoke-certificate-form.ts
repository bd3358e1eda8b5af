// The form that revokes a certificate; its page says what that means.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as revokeCertificate } from './revoke-certificate.ts';

const PAGE = `${pageRoute('certificate')}/revoke`;

export const operation = defineForm(
  { of: revokeCertificate, path: PAGE, access: { session: 'write:ca' } },
  {
    page: PAGE,
    decode: (fields) => ({ revocation_reason: fields.text('revocation_reason') }),
    done: (_answer, fields, { certificate_id }) => ({
      location: pagePath('certificate', certificate_id!),
      flash:
        fields.text('revocation_reason') === 'certificateHold'
          ? 'The certificate is on hold. The revocation list says so.'
          : 'The certificate is revoked. The revocation list says so.',
    }),
  },
);
