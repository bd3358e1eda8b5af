// The button that rotates the signing keys.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as rotateOidcSigningKeys } from './rotate-signing-keys.ts';

export const operation = formOf(rotateOidcSigningKeys, {
  path: `${pagePath('oidc-signing-keys')}/rotate`,
  page: pagePath('oidc-signing-keys'),
  done: () => ({ location: pagePath('oidc-signing-keys'), flash: 'The signing keys are rotated.' }),
});
