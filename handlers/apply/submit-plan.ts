// Applies a reviewed plan.
import { findPlan } from '../../shared/apply/plan-store.ts';
import { refuseUnreviewed } from '../../shared/apply/reviewed.ts';
import { planSubmit, submittedSchema } from '../../shared/apply/schemas.ts';
import { submitPlan } from '../../shared/apply/submit.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'submitPlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/submit',
  plane: 'api',
  access: { scope: 'write:apply' },
  effect: 'queues-job',
  takesLock: true,
  tag: 'Apply',
  summary: 'Apply a reviewed plan',
  description:
    'Queues a durable job that enforces the plan unit by unit, and locks all mutations until it has ended. A plan whose units changed since it was reviewed is refused and the units are named; so is one that did not pass validation, or that was submitted before.',
  params: idParam('plan_id', 'Id of the plan.'),
  body: planSubmit,
  answers: { 202: { description: 'The job was queued.', schema: submittedSchema, located: true } },
  problems: ['resource_not_found', 'state_conflict', 'plan_stale'],
  audit: ['plan.submit'],
  async prepare({ services, params }) {
    const plan = await findPlan(services.store, params.plan_id);
    if (plan.state === 'open') await refuseUnreviewed(services, plan.units);
  },
  async run({ services, tx, params, body, actor, audit }) {
    const reviewed = { digest: body.digest, note: body.note ?? '' };
    const { id, job_id, digest, units, note } = await submitPlan(tx, services, params.plan_id, reviewed, actor.name);
    const detail = { job_id, digest, units: units.map((unit) => unit.id), note };
    audit({ action: 'plan.submit', resource_type: 'plan', resource_id: id, detail });
    return { status: 202, headers: { location: `/api/v1/jobs/${job_id}` }, body: { plan_id: id, job_id } };
  },
});
