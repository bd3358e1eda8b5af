// Removes a depot user.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { deleteDepotUser, depotUserParams } from '../../shared/services/offline-depot/users.ts';

const action = 'depot.http_user.delete';

export const operation = defineOperation({
  id: 'deleteDepotUser',
  method: 'DELETE',
  path: '/api/v1/private-cloud-services/http-users/{http_user_id}',
  access: { scope: 'write:depot' },
  effect: 'immediate',
  // It ends access, which must be possible at any moment.
  guarded: false,
  tag: 'Offline depot',
  summary: 'Delete a depot user',
  description:
    'Changes application state immediately. Refused while the saved settings of the depot name it. One that is still in force without being saved is let in no longer.',
  params: depotUserParams,
  answers: { 204: { description: 'The depot user is gone.' } },
  problems: ['resource_not_found', 'still_referenced', 'revision_stale', 'malformed_precondition'],
  audit: [action],
  async run({ tx, params, request, audit }) {
    const user = await deleteDepotUser(tx, params.http_user_id, request.if_match);
    audit({ action, resource_type: 'depot_user', resource_id: user.id, detail: { name: user.name } });
    return { status: 204 };
  },
});
