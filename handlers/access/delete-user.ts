// Removes a user.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { forAudit } from '../../shared/kernel/access/ended-words.ts';
import { deleteUser } from '../../shared/kernel/access/user-changes.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // It takes rights away, which must be possible at any moment.
  guarded: false,
  tag: 'Users',
  summary: 'Delete a user',
  description:
    'Removes the user with the sessions and tokens. Sessions at the OpenID Connect provider end as well. The audit log keeps the name. The last enabled admin cannot be removed. Changes application state immediately.',
  params: idParam('user_id', 'Id of the user.'),
  answers: { 204: { description: 'The user is gone.' } },
  problems: ['resource_not_found', 'state_conflict', 'revision_stale', 'malformed_precondition'],
  audit: ['user.delete'],
  async run({ services, tx, params, request, audit }) {
    const { user, ended } = await deleteUser(tx, services, params.user_id, request.if_match);
    const detail = { name: user.name, ...forAudit(ended) };
    audit({ action: 'user.delete', resource_type: 'user', resource_id: user.id, detail });
    return { status: 204 };
  },
});
