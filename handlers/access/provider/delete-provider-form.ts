// The button that deletes the external provider.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteSignInProvider } from './delete-provider.ts';

export const operation = formOf(deleteSignInProvider, {
  path: `${pagePath('sign-in-provider')}/delete`,
  page: pagePath('sign-in-provider'),
  done: () => ({ location: pagePath('users'), flash: 'The external provider is deleted.' }),
});
