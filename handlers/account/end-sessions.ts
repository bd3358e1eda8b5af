// Ends the caller's own sessions everywhere.
import { endSessionsAndSignIns } from '../../shared/kernel/access/credentials.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { sessionsEndedSchema } from '../../shared/services/oidc/sessions/schemas.ts';

export const operation = defineOperation({
  id: 'endOwnSessions',
  method: 'POST',
  path: '/api/v1/account/sessions/end',
  access: { scope: 'any' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Account',
  summary: 'End your own sessions everywhere',
  description:
    'Ends every session of the token’s user, of this appliance and at its OpenID Connect provider, there with grants, codes, access tokens and refresh tokens of all clients. API tokens go on. Changes application state immediately.',
  answers: { 200: { description: 'How many ended.', schema: sessionsEndedSchema } },
  audit: ['account.sessions.end'],
  async run({ services, tx, actor, request, audit }) {
    const ended = await endSessionsAndSignIns(tx, services, actor.user_id!, request.now, actor.credential_id);
    const of = { resource_type: 'user', resource_id: actor.user_id };
    audit({ action: 'account.sessions.end', ...of, detail: { ...ended } });
    return { body: ended };
  },
});
