// Gives more time to confirm a plan.
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import { findPlan, keepDeadline } from '../../shared/appliance/apply/plan-store.ts';
import { WINDOW } from '../../shared/appliance/apply/window/record.ts';
import { planExtend, windowSchema } from '../../shared/appliance/apply/window/schemas.ts';
import { openWindowOf, type WindowView, windowView } from '../../shared/appliance/apply/window/view.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const fullAfter = (deadline_at: string | null): string =>
  `The window was extended: the plan goes back at ${deadline_at}. The disk is too full to record who extended it.`;

export const operation = defineOperation({
  id: 'extendPlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/extend',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  // It must be possible while the apply holds the lock.
  guarded: false,
  tag: 'Apply',
  summary: 'Extend a confirm window',
  description: `The deadline is counted again from now, be that later or sooner than before; a window lasts ${WINDOW.in_all / 60} minutes in all from when it was opened, and a longer extension is a conflict that says how much is left. On a full disk the extension is refused (507) and the window stays as it was. Changes application state immediately. Any way in may ask for it; only a confirmation has to come over the new one.`,
  params: idParam('plan_id', 'Id of the plan.'),
  body: planExtend,
  answers: { 200: { description: 'The window with its new deadline.', schema: windowSchema } },
  problems: ['resource_not_found', 'window_closed', 'state_conflict'],
  audit: ['plan.extend'],
  preparesHost: true,
  async prepare({ services, params, body }) {
    const plan = await findPlan(services.store, params.plan_id);
    await openWindowOf(services, plan);
    const extended = await enforcementOf(services).window.extend(plan.id, body.confirm_timeout);
    return windowView(plan.window, extended, false);
  },
  async run({ services, tx, params, body, prepared, audit, afterCommit, onFullDisk }) {
    const { deadline_at } = prepared as WindowView;
    onFullDisk(() => new Problem('storage_full', fullAfter(deadline_at), { retry_after: 30 }));
    await keepDeadline(tx, params.plan_id, deadline_at);
    const detail = { confirm_timeout: body.confirm_timeout, deadline_at };
    audit({ action: 'plan.extend', resource_type: 'plan', resource_id: params.plan_id, detail });
    afterCommit(() => services.notify('jobs'));
    return { body: prepared };
  },
});
