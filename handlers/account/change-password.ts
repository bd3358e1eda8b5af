// Changes the password of the token's own user, whatever the token's scopes, for who knows the present one.
import { instant } from '../../shared/ground/clock.ts';
import { passwordChangedSchema, passwordChangeSchema } from '../../shared/kernel/access/account.ts';
import { forAudit, inNumbers } from '../../shared/kernel/access/ended-words.ts';
import { acceptPassword } from '../../shared/kernel/access/password-rules.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { updateUser } from '../../shared/kernel/access/user-changes.ts';
import { confirmPassword } from '../../shared/kernel/operation/confirm-password.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'changeOwnPassword',
  method: 'POST',
  path: '/api/v1/account/password',
  access: { scope: 'any' },
  effect: 'immediate',
  // Somebody else may know the password: it can be changed at any moment, also while an apply runs.
  guarded: false,
  judges: true,
  tag: 'Account',
  summary: 'Change your own password',
  description:
    'Takes the current password and the new one, whatever the scopes of the token. Wrong guesses are slowed like a sign-in. The user’s sessions end, and so do the API tokens, the calling one included, unless `keep_tokens` is true. Sessions at the OpenID Connect provider end as well. The answer says how many ended. Changes application state immediately.',
  body: passwordChangeSchema,
  answers: { 200: { description: 'The password is changed.', schema: passwordChangedSchema } },
  problems: ['too_many_attempts'],
  audit: ['account.password'],
  async prepare({ services, actor, body, request }) {
    const { id, name } = await findUser(services.store, actor.user_id!);
    const who = { at: instant(request.now), actor, request_id: request.id, source_address: request.source_address };
    await confirmPassword(services, who, body.current_password, {
      event: { action: 'account.password', resource_type: 'user', resource_id: id },
      pointer: '/current_password',
      user_name: name,
    });
    return acceptPassword(body.new_password, name, '/new_password');
  },
  async run({ services, tx, actor, body: { keep_tokens }, prepared, audit }) {
    const update = { password_hash: prepared as string, keep_tokens, keep_session: actor.credential_id };
    const { user, ended } = await updateUser(tx, services, actor.user_id!, update, null);
    const detail = { name: user.name, ...forAudit(ended) };
    audit({ action: 'account.password', resource_type: 'user', resource_id: user.id, detail });
    return { body: inNumbers(ended) };
  },
});
