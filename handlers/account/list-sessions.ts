// The caller's own sessions: of the appliance, and at clients of the OpenID Connect provider.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { currentIn, sessionsOfUser } from '../../shared/services/oidc/sessions/of-user.ts';
import { userSessionsSchema } from '../../shared/services/oidc/sessions/schemas.ts';

export const operation = defineOperation({
  id: 'listOwnSessions',
  method: 'GET',
  path: '/api/v1/account/sessions',
  access: { scope: 'any' },
  tag: 'Account',
  summary: 'List your own sessions',
  description:
    'Browsers in which the token’s user is signed in: to the pages of this appliance, and at its OpenID Connect provider with the clients that this let the user in to. API tokens are not among them.',
  answers: { 200: { description: 'Those that go on.', schema: userSessionsSchema } },
  async run({ db, actor, request }) {
    return { body: currentIn(await sessionsOfUser(db, actor.user_id!, request.now), actor) };
  },
});
