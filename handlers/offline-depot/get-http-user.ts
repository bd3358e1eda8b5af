// One depot user.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { depotUserParams, depotUserSchema, findDepotUser } from '../../shared/services/offline-depot/users.ts';

export const operation = defineOperation({
  id: 'getDepotUser',
  method: 'GET',
  path: '/api/v1/private-cloud-services/http-users/{http_user_id}',
  access: { scope: 'read:depot' },
  tag: 'Offline depot',
  summary: 'Get a depot user',
  description: 'Its name, and whether the saved settings name it. The password can’t be read by anybody.',
  params: depotUserParams,
  answers: {
    200: {
      description: 'The depot user, with the entity tag that If-Match takes.',
      schema: depotUserSchema,
      tagged: true,
      live: true,
    },
  },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const user = await findDepotUser(db, params.http_user_id);
    return { body: user, revision: user.revision };
  },
});
