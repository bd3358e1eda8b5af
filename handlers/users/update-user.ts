// Changes a user's role, password, or whether they may sign in.
import { acceptPassword } from '../../shared/access/password-rules.ts';
import { userSchema, userUpdateSchema } from '../../shared/access/schemas.ts';
import { findUser, updateUser } from '../../shared/access/user.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'updateUser',
  method: 'PATCH',
  path: '/api/v1/users/{user_id}',
  plane: 'api',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // An attacker must be stoppable at any moment, also while an apply runs; what gives rights waits (updateUser).
  guarded: false,
  tag: 'Users',
  summary: 'Update a user',
  description:
    'Omitted properties keep their value. Any change ends the user’s sessions; disabling also stops the user’s tokens until the user is enabled again. The last enabled admin can be neither disabled nor demoted. While an apply runs or waits for its confirmation, rights can be taken away and passwords set, but not given: enabling a user is refused, and so is a role that may write more. Changes application state immediately.',
  params: idParam('user_id', 'Id of the user.'),
  body: userUpdateSchema,
  answers: { 200: { description: 'The user.', schema: userSchema, tagged: true } },
  problems: ['resource_not_found', 'state_conflict', 'revision_stale', 'malformed_precondition', 'mutation_locked'],
  audit: ['user.update'],
  async prepare({ services, params, body }) {
    if (body.password === undefined) return undefined;
    return acceptPassword(body.password, (await findUser(services.store, params.user_id)).name);
  },
  async run({ services, tx, params, body, prepared, request, audit }) {
    const update = { role: body.role, enabled: body.enabled, password_hash: prepared as string | undefined };
    const user = await updateUser(tx, services, params.user_id, update, request.if_match);
    const detail = { name: user.name, role: user.role, enabled: user.enabled, changed: Object.keys(body) };
    audit({ action: 'user.update', resource_type: 'user', resource_id: user.id, detail });
    return { body: user, revision: user.revision };
  },
});
