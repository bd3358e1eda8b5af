// Ends one session of a user.
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { endSessionOfUser } from '../../shared/services/oidc/sessions/of-user.ts';

export const operation = defineOperation({
  id: 'endUserSession',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/sessions/{session_id}',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Users',
  summary: 'End a session of a user',
  description:
    'The next request of the session is refused. A session at the OpenID Connect provider ends with the grants, codes, access tokens and refresh tokens that clients got in it. ID tokens stay valid until they expire, and a client may keep a session of its own. Changes application state immediately.',
  params: v.strictObject({
    ...idParam('user_id', 'Id of the user.').entries,
    ...idParam('session_id', 'Id of the session, of either kind.').entries,
  }),
  answers: { 204: { description: 'It has ended.' } },
  problems: ['resource_not_found'],
  audit: ['user.session.end'],
  async run({ tx, params, request, audit }) {
    const { session_id } = params;
    const { id, name } = await findUser(tx, params.user_id);
    await endSessionOfUser(tx, id, session_id, request.now);
    audit({ action: 'user.session.end', resource_type: 'user', resource_id: id, detail: { name, session_id } });
    return { status: 204 };
  },
});
