// Takes all second factors of a user away: the phone is gone, and so are the recovery codes.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { endSessionsAndSignIns } from '../../shared/kernel/access/credentials.ts';
import { resetFactors } from '../../shared/kernel/access/second-factor/forget.ts';
import { factorsResetSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'resetUserSecondFactors',
  method: 'POST',
  path: '/api/v1/users/{user_id}/second-factors/reset',
  access: { scope: 'write:users' },
  effect: 'immediate',
  // Whoever took the phone must be stoppable at any moment, also while an apply runs.
  guarded: false,
  tag: 'Users',
  summary: 'Reset the second factors of a user',
  description:
    'Removes all second factors and recovery codes of a user, and ends the sessions. Sessions at the OpenID Connect provider end as well. The user signs in with the password alone, or adds a second factor at the next sign-in if the role must have one. API tokens stay. Changes application state immediately.',
  params: idParam('user_id', 'Id of the user.'),
  answers: { 200: { description: 'What went.', schema: factorsResetSchema } },
  problems: ['resource_not_found'],
  audit: ['user.second_factors.reset'],
  async run({ services, tx, request, params, audit }) {
    const user = await findUser(tx, params.user_id);
    const factors_removed = await resetFactors(tx, user.id);
    const ended = await endSessionsAndSignIns(tx, services, user.id, request.now);
    const detail = { name: user.name, factors_removed, ...ended };
    audit({ action: 'user.second_factors.reset', resource_type: 'user', resource_id: user.id, detail });
    return { body: { factors_removed, ...ended } };
  },
});
