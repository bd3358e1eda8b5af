// The button that issues a certificate anew.
import { AUTHORITY_PAGE } from '../../shared/certificates/authority.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as renewCertificate } from './renew-certificate.ts';

export const operation = defineForm(
  {
    of: renewCertificate,
    path: `${AUTHORITY_PAGE}/certificates/{certificate_id}/renew`,
    access: { session: 'write:ca' },
  },
  {
    page: AUTHORITY_PAGE,
    decode: () => undefined,
    done: () => ({
      location: AUTHORITY_PAGE,
      flash: 'The certificate is issued anew. What serves with it takes it within ten minutes.',
    }),
  },
);
