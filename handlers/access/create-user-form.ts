// The form that creates a user.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createUser } from './create-user.ts';

export const operation = defineForm(
  { of: createUser, path: `${pagePath('users')}/new`, access: { session: 'write:users' } },
  {
    page: `${pagePath('users')}/new`,
    secret: ['password'],
    confirms: { resource_type: 'user' },
    decode: (fields) => ({
      name: fields.text('name'),
      role: fields.text('role'),
      password: fields.values.get('password') ?? '',
    }),
    done: (answer) => ({
      location: pagePath('users'),
      flash: `User ${(answer.body as { name: string }).name} is created.`,
    }),
  },
);
