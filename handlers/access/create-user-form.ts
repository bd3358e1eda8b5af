// The form that creates a user.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createUser } from './create-user.ts';

export const operation = defineForm(
  { of: createUser, path: '/ui/management/users/new', access: { session: 'write:users' } },
  {
    page: '/ui/management/users/new',
    secret: ['password'],
    confirms: { resource_type: 'user' },
    decode: (fields) => ({
      name: fields.text('name'),
      role: fields.text('role'),
      password: fields.values.get('password') ?? '',
    }),
    done: (answer) => ({
      location: '/ui/management/users',
      flash: `User ${(answer.body as { name: string }).name} is created.`,
    }),
  },
);
