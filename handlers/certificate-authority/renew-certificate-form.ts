// The button that issues a certificate anew.

import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { operation as renewCertificate } from './renew-certificate.ts';

export const operation = formOf(renewCertificate, {
  path: `${AUTHORITY_PAGE}/certificates/{certificate_id}/renew`,
  page: AUTHORITY_PAGE,
  done: () => ({
    location: AUTHORITY_PAGE,
    flash: 'The certificate is reissued. The services that use it load it within ten minutes.',
  }),
});
