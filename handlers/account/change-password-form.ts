// Changes the password of whoever is signed in. This session stays; the others end.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ownPasswordSchema } from '../../shared/kernel/access/account.ts';
import { type EndedNumbers, endedWords } from '../../shared/kernel/access/ended-words.ts';
import { acceptPassword } from '../../shared/kernel/access/password-rules.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as changeOwnPassword } from './change-password.ts';

const PAGE = pagePath('account');

export const operation = defineForm(
  {
    of: changeOwnPassword,
    path: `${PAGE}/password`,
    description:
      'Takes the current password and the new one. The user’s other sessions end, and so do the API tokens unless they are kept.',
    problems: [],
    body: ownPasswordSchema,
    prepare: ({ actor, body }) => acceptPassword(body.new_password, actor.name, '/new_password'),
  },
  {
    page: PAGE,
    secret: ['new_password', 'repeated_password'],
    confirms: { resource_type: 'user' },
    decode: (fields) => ({
      new_password: fields.values.get('new_password') ?? '',
      repeated_password: fields.values.get('repeated_password') ?? '',
      keep_tokens: fields.checked('keep_tokens'),
    }),
    done: (answer) => ({
      location: PAGE,
      flash: `Your password is changed. ${endedWords(answer.body as EndedNumbers)}`,
    }),
  },
);
