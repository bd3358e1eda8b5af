// The button that removes a user.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as deleteUser } from './delete-user.ts';

export const operation = defineForm(
  { of: deleteUser, path: '/ui/management/users/{user_id}/delete', access: { session: 'write:users' } },
  {
    page: '/ui/management/users/{user_id}',
    decode: () => undefined,
    done: () => ({ location: '/ui/management/users', flash: 'The user is removed.' }),
  },
);
