// The button that looks at the certificate of the external provider; it is shown on the provider's page.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as lookAtSignInProviderCertificate } from './look-at-certificate.ts';

export const operation = formOf(lookAtSignInProviderCertificate, {
  path: `${pagePath('sign-in-provider')}/look-at-certificate`,
  page: pagePath('sign-in-provider'),
  done: () => ({ location: pagePath('sign-in-provider') }),
  shows: true,
});
