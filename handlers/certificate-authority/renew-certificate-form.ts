// The button that issues a certificate anew.

import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
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
