// One user.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { userSchema } from '../../shared/kernel/access/schemas.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'Get a user',
  description: 'One user, with the entity tag that If-Match takes.',
  params: idParam('user_id', 'Id of the user.'),
  answers: {
    200: { description: 'The user, with the entity tag that If-Match takes.', schema: userSchema, tagged: true },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const user = await findUser(db, params.user_id);
    return { body: user, revision: user.revision };
  },
});
