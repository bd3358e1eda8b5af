// The form that changes a user; an empty password field keeps the password.
import { type EndedNumbers, endedWords } from '../../shared/kernel/access/credentials.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as updateUser } from './update-user.ts';

export const operation = defineForm(
  { of: updateUser, path: '/ui/management/users/{user_id}', access: { session: 'write:users' } },
  {
    page: '/ui/management/users/{user_id}',
    secret: ['password'],
    confirms: { resource_type: 'user' },
    decode: (fields) => ({
      role: fields.text('role'),
      enabled: fields.checked('enabled'),
      password: fields.values.get('password') || undefined,
      ...(fields.checked('keep_tokens') && { keep_tokens: true }),
    }),
    done: (answer) => {
      const { name, ...ended } = answer.body as { name: string } & EndedNumbers;
      return { location: '/ui/management/users', flash: `User ${name} is saved. ${endedWords(ended)}` };
    },
  },
);
