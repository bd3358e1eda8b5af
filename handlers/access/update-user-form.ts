// The form that changes a user; an empty password field keeps the password.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { type EndedNumbers, endedWords } from '../../shared/kernel/access/ended-words.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as updateUser } from './update-user.ts';

export const operation = formOf(updateUser, {
  path: pageRoute('user'),
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
    return { location: pagePath('users'), flash: `User ${name} is saved. ${endedWords(ended)}` };
  },
});
