// Changes a user's role, password, or whether they may sign in.

import { invalid } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { forAudit, inNumbers } from '../../shared/kernel/access/ended-words.ts';
import { acceptPassword } from '../../shared/kernel/access/password-rules.ts';
import { userChangedSchema, userUpdateSchema } from '../../shared/kernel/access/schemas.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { updateUser } from '../../shared/kernel/access/user-changes.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'updateUser',
  method: 'PATCH',
  path: '/api/v1/users/{user_id}',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // An attacker must be stoppable at any moment, also while an apply runs; what gives rights waits (updateUser).
  guarded: false,
  judges: true,
  tag: 'Users',
  summary: 'Update a user',
  description:
    'Omitted properties keep their value. Any change ends the user’s sessions. Sessions at the OpenID Connect provider end as well. A new password ends the user’s API tokens unless `keep_tokens` is true; disabling ends them for good, and enabling the user again does not bring them back. With a new role the tokens stay, and never reach beyond it. The answer says how many sessions of each kind and how many tokens ended. The last enabled admin can be neither disabled nor demoted. While an apply runs or waits for its confirmation, rights can be taken away and passwords set, but not given: enabling a user is refused, and so is a role that may write more. Changes application state immediately.',
  params: idParam('user_id', 'Id of the user.'),
  body: userUpdateSchema,
  answers: { 200: { description: 'The user as saved now.', schema: userChangedSchema, tagged: true } },
  problems: ['resource_not_found', 'state_conflict', 'revision_stale', 'malformed_precondition', 'mutation_locked'],
  audit: ['user.update'],
  async prepare({ services, params, body }) {
    if (body.enabled === false && body.keep_tokens === true) {
      throw invalid({ pointer: '/keep_tokens', detail: 'The tokens of a disabled user can’t be kept.' });
    }
    if (body.password === undefined) return undefined;
    return acceptPassword(body.password, (await findUser(services.store, params.user_id)).name);
  },
  async run({ services, tx, params, body, prepared, request, audit }) {
    const { role, enabled, keep_tokens } = body;
    const update = { role, enabled, keep_tokens, password_hash: prepared as string | undefined };
    const { user, ended } = await updateUser(tx, services, params.user_id, update, request.if_match);
    const changed = Object.keys(body).filter((name) => name !== 'keep_tokens');
    const detail = { name: user.name, role: user.role, enabled: user.enabled, changed, ...forAudit(ended) };
    audit({ action: 'user.update', resource_type: 'user', resource_id: user.id, detail });
    return { body: { ...user, ...inNumbers(ended) }, revision: user.revision };
  },
});
