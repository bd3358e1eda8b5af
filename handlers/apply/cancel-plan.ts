// Stops the apply of a plan.
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { howItEnded } from '../../shared/appliance/apply/window/record.ts';
import { revertSoon } from '../../shared/appliance/apply/window/revert-soon.ts';
import { readWindowOf } from '../../shared/appliance/apply/window/view.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { cancelJob } from '../../shared/kernel/jobs/job.ts';
import { jobAnswer } from '../../shared/kernel/jobs/job-answer.ts';
import { jobSchema } from '../../shared/kernel/jobs/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const FULL =
  'The appliance has no space left to write down that this plan was stopped. It is rolled back all the same.';

export const operation = defineOperation({
  id: 'cancelPlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/cancel',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  // It must be possible while the apply holds the lock.
  guarded: false,
  tag: 'Apply',
  summary: 'Stop an apply',
  description:
    'A waiting apply ends without changing anything; a running one finishes the unit that it is at and leaves the rest as it was. One with a confirm window goes back as a whole, at once, also when it is in force already, when its record is damaged, and when the disk is too full to write down that it was asked for. A plan that was not submitted, or whose apply has ended, is a conflict that says how it ended. Changes application state immediately.',
  params: idParam('plan_id', 'Id of the plan.'),
  answers: { 202: { description: 'The job, which was asked to stop.', schema: jobSchema } },
  problems: ['resource_not_found', 'state_conflict', 'job_finished'],
  audit: ['job.cancel'],
  async run({ services, request, tx, params, actor, audit, afterCommit, onFullDisk }) {
    const plan = await findPlan(tx, params.plan_id);
    if (plan.job_id === null)
      throw new Problem('state_conflict', 'This plan was not submitted: there is nothing to stop.');
    if (plan.window?.ended && plan.window.ended.state !== 'closed')
      throw new Problem('job_finished', howItEnded(plan.window.ended));
    const window = await readWindowOf(services, plan);
    if (window !== null && window !== 'damaged' && window.state === 'confirmed')
      throw new Problem('state_conflict', 'This plan was confirmed and stays: there is nothing to stop any more.');
    if (plan.window !== null) {
      // It goes back at once, which makes space, and its job says who did it.
      onFullDisk(() => {
        revertSoon(services, plan, actor.name);
        return new Problem('storage_full', FULL, { retry_after: 30 });
      });
    }
    const job = await cancelJob(tx, plan.job_id);
    const detail = { kind: job.kind, plan_id: plan.id };
    audit({ action: 'job.cancel', resource_type: 'job', resource_id: job.id, detail });
    afterCommit(() => {
      services.notify('jobs');
      revertSoon(services, plan, actor.name);
    });
    return { status: 202, body: jobAnswer(job, services, request) };
  },
});
