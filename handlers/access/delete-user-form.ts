// Removes a user, from the page that asks first.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteUser } from './delete-user.ts';

export const operation = defineForm(
  { of: deleteUser, path: '/ui/management/users/{user_id}/delete', access: { session: 'write:users' } },
  {
    page: '/ui/management/users/{user_id}/delete',
    confirms: { resource_type: 'user' },
    decode: () => undefined,
    done: () => ({ location: '/ui/management/users', flash: 'The user is removed.' }),
  },
);
