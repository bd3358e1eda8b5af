// Stops the apply of a plan from the plan's own page.
import { findPlan } from '../../shared/apply/plan-store.ts';
import { cancelJob } from '../../shared/jobs/job.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { Problem } from '../../shared/operation/problems.ts';

export const operation = defineForm(
  {
    id: 'cancelApplyForm',
    path: '/ui/management/appliance-apply/{plan_id}/cancel',
    access: { session: 'write:apply' },
    effect: 'immediate',
    // It must be possible while the apply holds the lock.
    guarded: false,
    tag: 'Apply',
    summary: 'Stop an apply',
    description:
      'A waiting apply ends at once; a running one finishes the unit that it is at and leaves the rest as it was. Changes application state immediately.',
    params: idParam('plan_id', 'Id of the plan.'),
    problems: ['resource_not_found', 'state_conflict', 'job_finished'],
    audit: ['job.cancel'],
    async run({ services, tx, params, audit, afterCommit }) {
      const plan = await findPlan(tx, params.plan_id);
      if (plan.job_id === null)
        throw new Problem('state_conflict', 'This plan was not submitted: there is nothing to stop.');
      const job = await cancelJob(tx, plan.job_id);
      const detail = { kind: job.kind, plan_id: plan.id };
      audit({ action: 'job.cancel', resource_type: 'job', resource_id: job.id, detail });
      afterCommit(() => services.notify('jobs'));
      return { body: { plan_id: plan.id, ended: job.state === 'cancelled' } };
    },
  },
  {
    page: '/ui/management/appliance-apply/{plan_id}',
    decode: () => undefined,
    done: (answer, _fields, params) => ({
      location: `/ui/management/appliance-apply/${params.plan_id}`,
      flash: (answer.body as { ended: boolean }).ended
        ? 'The apply is cancelled; nothing was changed.'
        : 'The apply stops after the unit that it is at.',
    }),
  },
);
