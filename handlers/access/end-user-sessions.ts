// Ends all sessions of a user, everywhere.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { endSessionsAndSignIns } from '../../shared/kernel/access/credentials.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { sessionsEndedSchema } from '../../shared/services/oidc/sessions/schemas.ts';

export const operation = defineOperation({
  id: 'endUserSessions',
  method: 'POST',
  path: '/api/v1/users/{user_id}/sessions/end',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Users',
  summary: 'End the sessions of a user everywhere',
  description:
    'Ends every session of a user, of this appliance and at its OpenID Connect provider, there with grants, codes, access tokens and refresh tokens of all clients. API tokens go on, and the user may sign in again: disabling ends both. Changes application state immediately.',
  params: idParam('user_id', 'Id of the user.'),
  answers: { 200: { description: 'How many ended.', schema: sessionsEndedSchema } },
  problems: ['resource_not_found'],
  audit: ['user.sessions.end'],
  async run({ services, tx, params, request, audit }) {
    const { id, name } = await findUser(tx, params.user_id);
    const ended = await endSessionsAndSignIns(tx, services, id, request.now);
    audit({ action: 'user.sessions.end', resource_type: 'user', resource_id: id, detail: { name, ...ended } });
    return { body: ended };
  },
});
