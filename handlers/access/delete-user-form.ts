// Removes a user, from the page that asks first.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteUser } from './delete-user.ts';

export const operation = formOf(deleteUser, {
  path: `${pageRoute('user')}/delete`,
  confirms: { resource_type: 'user' },
  done: () => ({ location: pagePath('users'), flash: 'The user is removed.' }),
});
