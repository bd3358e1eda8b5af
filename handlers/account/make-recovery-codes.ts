// New recovery codes in the place of all earlier ones.
import { Problem } from '../../shared/ground/problems.ts';
import { hasFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { replaceRecoveryCodes } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { confirmedByPasswordSchema, recoveryCodesSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { confirmOwner, OWNER_ASKED } from '../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.recovery_codes';

export const operation = defineOperation({
  id: 'makeOwnRecoveryCodes',
  method: 'POST',
  path: '/api/v1/account/recovery-codes',
  access: { scope: 'any' },
  effect: 'immediate',
  // A sheet of codes that was lost must be worth nothing at any moment.
  guarded: false,
  tag: 'Account',
  summary: 'Make new recovery codes',
  description: `Ten codes, once; all earlier ones stop working. Only of a user who has a second factor. ${OWNER_ASKED} Changes application state immediately.`,
  body: confirmedByPasswordSchema,
  answers: { 200: { description: 'The ten codes, in this answer alone.', schema: recoveryCodesSchema } },
  problems: ['state_conflict', 'too_many_attempts'],
  audit: [ACTION],
  prepare: (context) =>
    confirmOwner(context.services, context, {
      action: ACTION,
      resource_type: 'user',
      resource_id: context.actor.user_id,
    }),
  async run({ services, tx, actor, audit }) {
    const user_id = actor.user_id!;
    if (!(await hasFactor(tx, user_id))) {
      throw new Problem('state_conflict', 'Recovery codes stand in for a second factor, and you have none.');
    }
    const recovery_codes = await replaceRecoveryCodes(tx, services, user_id);
    audit({ action: ACTION, resource_type: 'user', resource_id: user_id, detail: { count: recovery_codes.length } });
    return { body: { recovery_codes } };
  },
});
