// Sets which roles must have a second factor.
import { findPolicy, savePolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import { policySchema, policyUpdateSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'updateSecondFactorPolicy',
  method: 'PUT',
  path: '/api/v1/second-factor-policy',
  access: { scope: 'write:users' },
  effect: 'immediate',
  tag: 'Users',
  summary: 'Set who must have a second factor',
  description:
    'Replaces the policy. A user of such a role who has no second factor adds an authenticator at the next sign-in, before anything else opens. Sessions and API tokens that are there go on. It is in no archive: who may sign in belongs to the appliance. Changes application state immediately.',
  body: policyUpdateSchema,
  answers: { 200: { description: 'The policy as saved now.', schema: policySchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['second_factor_policy.update'],
  async run({ tx, body, request, audit }) {
    const before = await findPolicy(tx);
    const policy = await savePolicy(tx, body, request.if_match, request.now);
    const { roles, user_verification, revision } = policy;
    const detail = { roles, user_verification, roles_before: before.roles };
    audit({ action: 'second_factor_policy.update', resource_type: 'second_factor_policy', resource_id: null, detail });
    return { body: policy, revision };
  },
});
