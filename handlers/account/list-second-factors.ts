// The caller's own second factors.
import { listFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { mustHaveFactor } from '../../shared/kernel/access/second-factor/policy.ts';
import { recoveryCodesLeft } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { factorsSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listOwnSecondFactors',
  method: 'GET',
  path: '/api/v1/account/second-factors',
  access: { scope: 'any' },
  tag: 'Account',
  summary: 'List your own second factors',
  description:
    'Authenticators and passkeys of the token’s user. A token needs none: it was made by somebody who had signed in.',
  answers: {
    200: {
      description: 'Those that count, the recovery codes that are left, and whether one is required.',
      schema: factorsSchema,
    },
  },
  async run({ db, actor }) {
    const { id, role } = await findUser(db, actor.user_id!);
    const body = {
      items: await listFactors(db, id),
      recovery_codes_left: await recoveryCodesLeft(db, id),
      required: await mustHaveFactor(db, role),
    };
    return { body };
  },
});
