// Who the caller is: the user, the scopes that work now, and the token of the call.
import { accountSchema } from '../../shared/kernel/access/account.ts';
import { findToken } from '../../shared/kernel/access/token.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getAccount',
  method: 'GET',
  path: '/api/v1/account',
  access: { scope: 'any' },
  tag: 'Account',
  summary: 'Get the caller’s own account',
  description:
    'The user of the token, the role, and the token itself. `scopes` are those that work now: those that the token lists and the role includes, with the read that each write includes.',
  answers: { 200: { description: 'The account as it is now.', schema: accountSchema } },
  async run({ db, actor, request }) {
    const user = await findUser(db, actor.user_id!);
    const token = await findToken(db, actor.credential_id!, request.now);
    const { id, name, scopes, created_at, expires_at, created_by_token } = token;
    const credential = { kind: 'token' as const, id, name, scopes, created_at, expires_at, created_by_token };
    const body = {
      user_id: user.id,
      user_name: user.name,
      role: user.role,
      scopes: [...actor.scopes].sort(),
      credential,
    };
    return { body };
  },
});
