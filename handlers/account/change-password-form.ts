// Changes the password of whoever is signed in. This session stays; the others end.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ownPasswordSchema } from '../../shared/kernel/access/account.ts';
import { type EndedNumbers, endedWords, forAudit, inNumbers } from '../../shared/kernel/access/credentials.ts';
import { acceptPassword } from '../../shared/kernel/access/password-rules.ts';
import { updateUser } from '../../shared/kernel/access/user.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

const PAGE = pagePath('account');

export const operation = defineForm(
  {
    id: 'changeOwnPasswordForm',
    path: `${PAGE}/password`,
    access: { session: 'any' },
    tag: 'Account',
    summary: 'Change your own password',
    description:
      'Takes the current password and the new one. The user’s other sessions end, and so do the API tokens unless they are kept.',
    effect: 'immediate',
    // Somebody else may know the password: it can be changed at any moment, also while an apply runs.
    guarded: false,
    body: ownPasswordSchema,
    audit: ['account.password'],
    prepare: ({ actor, body }) => acceptPassword(body.new_password, actor.name, '/new_password'),
    async run({ services, tx, actor, body, prepared, audit }) {
      const update = {
        password_hash: prepared as string,
        keep_tokens: body.keep_tokens,
        keep_session: actor.credential_id,
      };
      const { user, ended } = await updateUser(tx, services, actor.user_id!, update, null);
      const detail = { name: user.name, ...forAudit(ended) };
      audit({ action: 'account.password', resource_type: 'user', resource_id: user.id, detail });
      return { body: inNumbers(ended) };
    },
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
