// Confirms a plan that is in force for a while, so that it stays.
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { freeForConfirming } from '../../shared/appliance/apply/window/confirm-reserve.ts';
import { refuseOtherPath } from '../../shared/appliance/apply/window/proof.ts';
import { planConfirm, windowSchema } from '../../shared/appliance/apply/window/schemas.ts';
import { openWindowOf, type WindowView, windowView } from '../../shared/appliance/apply/window/view.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { isStopping } from '../../shared/kernel/jobs/job.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const FULL =
  'The plan is confirmed and stays in force. The disk is too full to record who confirmed it. The apply ends as soon as there is space.';

export const operation = defineOperation({
  id: 'confirmPlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/confirm',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  // It must be possible while the apply holds the lock.
  guarded: false,
  tag: 'Apply',
  summary: 'Confirm a plan',
  description:
    'The plan stays in force, and its apply ends. Accepted only over the way that the plan leads to: the request has to arrive at one of the addresses of `window`, or over loopback where the plan was submitted over loopback, on a connection that was opened after the change was complete. Changes application state immediately. Confirming twice is the same as confirming once, as long as the apply has not ended; after that, a conflict says how it ended. Works on a full disk: the space for it was reserved when the window opened.',
  params: idParam('plan_id', 'Id of the plan.'),
  body: planConfirm,
  answers: { 200: { description: 'The window as it ended.', schema: windowSchema } },
  problems: ['resource_not_found', 'window_closed', 'wrong_nonce', 'wrong_path'],
  audit: ['plan.confirm'],
  // Before the transaction: whoever holds the host lock must not keep all writers waiting. What is confirmed stays so
  // even if the audit row can't be written; the row about the end of the apply says by whom.
  preparesHost: true,
  async prepare({ services, params, body, actor, request }) {
    const plan = await findPlan(services.store, params.plan_id);
    const record = await openWindowOf(services, plan);
    if (plan.job_id && (await isStopping(services.store, plan.job_id)))
      throw new Problem('window_closed', 'Somebody asked to stop this plan; it is being rolled back.');
    await refuseOtherPath(services, request, record);
    const confirmed = await enforcementOf(services).window.confirm(plan.id, body.nonce, actor.name);
    await freeForConfirming(services).catch(() => undefined);
    return windowView(plan.window, confirmed, false);
  },
  async run({ services, params, prepared, audit, afterCommit, onFullDisk }) {
    const { addresses } = prepared as WindowView;
    onFullDisk(() => {
      services.notify('jobs');
      return new Problem('storage_full', FULL, { retry_after: 30 });
    });
    audit({ action: 'plan.confirm', resource_type: 'plan', resource_id: params.plan_id, detail: { addresses } });
    afterCommit(() => services.notify('jobs'));
    return { body: prepared };
  },
});
