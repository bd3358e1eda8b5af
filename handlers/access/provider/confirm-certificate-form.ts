// The button that confirms the certificate that was looked at.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as confirmSignInProviderCertificate } from './confirm-certificate.ts';

export const operation = formOf(confirmSignInProviderCertificate, {
  path: `${pagePath('sign-in-provider')}/confirm-certificate`,
  page: pagePath('sign-in-provider'),
  confirms: { resource_type: 'sign_in_provider' },
  decode: (fields) => ({ sha256: fields.text('sha256') }),
  done: () => ({ location: pagePath('sign-in-provider'), flash: 'The certificate is confirmed.' }),
});
