// Sets the password of a depot user.
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import {
  depotUserParams,
  depotUserSchema,
  depotUserUpdateSchema,
  setDepotPassword,
} from '../../shared/services/offline-depot/users.ts';

const action = 'depot.http_user.update';

export const operation = defineOperation({
  id: 'updateDepotUser',
  method: 'PATCH',
  path: '/api/v1/private-cloud-services/http-users/{http_user_id}',
  access: { scope: 'write:depot' },
  effect: 'immediate',
  // A new password ends the access of whoever has the old one, which must be possible at any moment.
  guarded: false,
  tag: 'Offline depot',
  summary: 'Set the password of a depot user',
  description:
    'Changes application state immediately: the next request to the depot needs the new password, and appliances that were configured with the old one are refused until they are told. The name can’t be changed.',
  params: depotUserParams,
  body: depotUserUpdateSchema,
  answers: { 200: { description: 'The depot user as saved now.', schema: depotUserSchema, tagged: true } },
  problems: ['resource_not_found', 'revision_stale', 'malformed_precondition'],
  audit: [action],
  prepare: ({ body }) => hashPassword(body.password),
  async run({ tx, services, params, prepared, request, audit }) {
    const user = await setDepotPassword(tx, services, params.http_user_id, prepared as string, request.if_match);
    audit({
      action,
      resource_type: 'depot_user',
      resource_id: user.id,
      detail: { name: user.name, changed: ['password'] },
    });
    return { body: user, revision: user.revision };
  },
});
