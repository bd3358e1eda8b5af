// The form that changes a user; an empty password field keeps the password.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as updateUser } from './update-user.ts';

export const operation = defineForm(
  { of: updateUser, path: '/ui/management/users/{user_id}', access: { session: 'write:users' } },
  {
    page: '/ui/management/users/{user_id}',
    secret: ['password'],
    decode: (fields) => ({
      role: fields.text('role'),
      enabled: fields.checked('enabled'),
      password: fields.values.get('password') || undefined,
    }),
    done: (answer) => ({
      location: '/ui/management/users',
      flash: `User ${(answer.body as { name: string }).name} is saved.`,
    }),
  },
);
