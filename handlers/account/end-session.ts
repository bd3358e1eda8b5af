// Ends one of the caller's own sessions.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { endSessionOfUser } from '../../shared/services/oidc/sessions/of-user.ts';

export const operation = defineOperation({
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/api/v1/account/sessions/{session_id}',
  access: { scope: 'any' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Account',
  summary: 'End one of your own sessions',
  description:
    'The next request of the session is refused. A session at the OpenID Connect provider ends with the grants, codes, access tokens and refresh tokens that clients got in it. ID tokens stay valid until they expire, and a client may keep a session of its own. Changes application state immediately.',
  params: idParam('session_id', 'Id of the session, of either kind.'),
  answers: { 204: { description: 'It has ended.' } },
  problems: ['resource_not_found'],
  audit: ['account.session.end'],
  async run({ tx, actor, params: { session_id }, request, audit }) {
    await endSessionOfUser(tx, actor.user_id!, session_id, request.now);
    const of = { resource_type: 'user', resource_id: actor.user_id };
    audit({ action: 'account.session.end', ...of, detail: { session_id } });
    return { status: 204 };
  },
});
