// Which roles must have a second factor.
import { findPolicy } from '../../shared/kernel/access/second-factor/policy.ts';
import { policySchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getSecondFactorPolicy',
  method: 'GET',
  path: '/api/v1/second-factor-policy',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'Get who must have a second factor',
  description: 'Roles that must have a second factor, and what passkeys have to check.',
  answers: { 200: { description: 'The policy as saved now.', schema: policySchema, tagged: true } },
  async run({ db }) {
    const policy = await findPolicy(db);
    return { body: policy, revision: policy.revision };
  },
});
