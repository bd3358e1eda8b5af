// Begins to add an authenticator: its secret is only in this answer.
import { beginTotp } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { totpBeginSchema, totpBegunSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { base32, otpauthUri } from '../../shared/kernel/access/second-factor/totp.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { confirmOwner, OWNER_ASKED } from '../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.begin';

export const operation = defineOperation({
  id: 'beginOwnTotp',
  method: 'POST',
  path: '/api/v1/account/second-factors/totp',
  access: { scope: 'any' },
  effect: 'immediate',
  // Somebody else may know the password: a second factor can be added at any moment, also while an apply runs.
  guarded: false,
  tag: 'Account',
  summary: 'Begin to add an authenticator',
  description: `Answers the secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds), once. The authenticator counts when its first code is confirmed, within ten minutes; one that was begun before and not confirmed is forgotten. ${OWNER_ASKED} Changes application state immediately.`,
  body: totpBeginSchema,
  answers: { 200: { description: 'What the app needs.', schema: totpBegunSchema } },
  problems: ['state_conflict', 'too_many_attempts', 'vault_keys_unusable'],
  audit: [ACTION],
  prepare: (context) =>
    confirmOwner(context.services, context, {
      action: ACTION,
      resource_type: 'user',
      resource_id: context.actor.user_id,
    }),
  async run({ services, tx, actor, body: { name }, audit }) {
    const user = await findUser(tx, actor.user_id!);
    const { id, secret, expires_at } = await beginTotp(tx, services, user.id, name);
    audit({ action: ACTION, resource_type: 'user', resource_id: user.id, detail: { kind: 'totp', name } });
    const otpauth_uri = otpauthUri(secret, { issuer: services.settings.hostname, account: user.name });
    return { body: { factor_id: id, secret: base32(secret), otpauth_uri, expires_at } };
  },
});
