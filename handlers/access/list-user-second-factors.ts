// The second factors of a user.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { listFactors } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { mustHaveFactor } from '../../shared/kernel/access/second-factor/policy.ts';
import { recoveryCodesLeft } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { factorsSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listUserSecondFactors',
  method: 'GET',
  path: '/api/v1/users/{user_id}/second-factors',
  access: { scope: 'read:users' },
  tag: 'Users',
  summary: 'List the second factors of a user',
  description: 'Authenticators and passkeys of a user, without any secret of theirs.',
  params: idParam('user_id', 'Id of the user.'),
  answers: { 200: { description: 'Those that count.', schema: factorsSchema } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const { id, role } = await findUser(db, params.user_id);
    const body = {
      items: await listFactors(db, id),
      recovery_codes_left: await recoveryCodesLeft(db, id),
      required: await mustHaveFactor(db, role),
    };
    return { body };
  },
});
