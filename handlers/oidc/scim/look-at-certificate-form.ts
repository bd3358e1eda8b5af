// The button that looks at the certificate of a SCIM target; it is shown on the target's page.
import { itemPath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as lookAtOidcScimCertificate } from './look-at-certificate.ts';

export const operation = formOf(lookAtOidcScimCertificate, {
  path: `${pageRoute('oidc-scim')}/look-at-certificate`,
  page: pageRoute('oidc-scim'),
  done: (_answer, _fields, { oidc_client_id }) => ({ location: itemPath('oidc-scim', oidc_client_id!) }),
  shows: true,
});
