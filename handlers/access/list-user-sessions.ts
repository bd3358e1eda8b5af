// The sessions of a user: of the appliance, and at clients of the OpenID Connect provider.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { currentIn, sessionsOfUser } from '../../shared/services/oidc/sessions/of-user.ts';
import { userSessionsSchema } from '../../shared/services/oidc/sessions/schemas.ts';

export const operation = defineOperation({
  id: 'listUserSessions',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sessions',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'List the sessions of a user',
  description:
    'Browsers in which a user is signed in: to the pages of this appliance, and at its OpenID Connect provider. API tokens are not among them.',
  params: idParam('user_id', 'Id of the user.'),
  answers: { 200: { description: 'Those that go on.', schema: userSessionsSchema } },
  problems: ['resource_not_found'],
  async run({ db, actor, params, request }) {
    const { id } = await findUser(db, params.user_id);
    return { body: currentIn(await sessionsOfUser(db, id, request.now), actor) };
  },
});
