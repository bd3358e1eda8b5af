// The form that creates a user.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createUser } from './create-user.ts';

export const operation = formOf(createUser, {
  path: `${pagePath('users')}/new`,
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
});
