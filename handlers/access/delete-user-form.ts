// Removes a user, from the page that asks first.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteUser } from './delete-user.ts';

export const operation = defineForm(
  { of: deleteUser, path: `${pageRoute('user')}/delete`, access: { session: 'write:users' } },
  {
    page: `${pageRoute('user')}/delete`,
    confirms: { resource_type: 'user' },
    decode: () => undefined,
    done: () => ({ location: pagePath('users'), flash: 'The user is removed.' }),
  },
);
