// Removes one of the caller's own second factors.
import { idParam } from '../../shared/ground/schemas/component.ts';
import { hasFactor, removeFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { forgetRecoveryCodes } from '../../shared/kernel/access/second-factor/recovery-codes.ts';
import { confirmedByPasswordSchema, factorSchema } from '../../shared/kernel/access/second-factor/schemas.ts';
import { endSteps } from '../../shared/kernel/access/second-factor/sign-in-step.ts';
import { confirmOwner, OWNER_ASKED } from '../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const ACTION = 'account.second_factor.remove';

export const operation = defineOperation({
  id: 'removeOwnSecondFactor',
  method: 'POST',
  path: '/api/v1/account/second-factors/{factor_id}/remove',
  access: { scope: 'any' },
  effect: 'immediate',
  // A phone that was stolen lets nobody in from this moment on.
  guarded: false,
  tag: 'Account',
  summary: 'Remove a second factor',
  description: `It can no longer be used to sign in. With the last one the recovery codes go; a user whose role must have one adds another at the next sign-in. ${OWNER_ASKED} Changes application state immediately.`,
  params: idParam('factor_id', 'Id of the second factor.'),
  body: confirmedByPasswordSchema,
  answers: { 200: { description: 'What was removed.', schema: factorSchema } },
  problems: ['resource_not_found', 'too_many_attempts'],
  audit: [ACTION],
  prepare: (context) =>
    confirmOwner(context.services, context, {
      action: ACTION,
      resource_type: 'user',
      resource_id: context.actor.user_id,
    }),
  async run({ tx, actor, params: { factor_id }, audit }) {
    const user_id = actor.user_id!;
    const factor = await removeFactor(tx, user_id, factor_id);
    const last = !(await hasFactor(tx, user_id));
    if (last) await forgetRecoveryCodes(tx, user_id);
    await endSteps(tx, user_id);
    const detail = { kind: factor.kind, name: factor.name, last };
    audit({ action: ACTION, resource_type: 'user', resource_id: user_id, detail });
    return { body: factor };
  },
});
