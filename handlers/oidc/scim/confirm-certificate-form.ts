// The button that confirms the certificate that was looked at.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as confirmOidcScimCertificate } from './confirm-certificate.ts';

export const operation = formOf(confirmOidcScimCertificate, {
  path: `${pageRoute('oidc-scim')}/confirm-certificate`,
  page: pageRoute('oidc-scim'),
  decode: (fields) => ({ sha256: fields.text('sha256') }),
  done: (_answer, _fields, { oidc_client_id }) => ({
    location: itemPath('oidc-scim', oidc_client_id!),
    flash: 'The certificate is confirmed.',
  }),
});
