// Applies a reviewed plan.
import { refuseDrift } from '../../shared/appliance/apply/host-drift.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { refuseUnreviewed } from '../../shared/appliance/apply/reviewed.ts';
import { planSubmit, submittedSchema } from '../../shared/appliance/apply/schemas.ts';
import { overwrites, submitPlan } from '../../shared/appliance/apply/submit.ts';
import { arrivalOf, type Need, needOf } from '../../shared/appliance/apply/window/need.ts';
import { confirmAt } from '../../shared/appliance/apply/window/path.ts';
import { WINDOW } from '../../shared/appliance/apply/window/record.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'submitPlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/submit',
  access: { scope: 'write:apply' },
  effect: 'queues-job',
  takesLock: true,
  tag: 'Apply',
  summary: 'Apply a reviewed plan',
  description:
    'Queues a durable job that enforces the plan unit by unit, and locks all mutations until it has ended. A plan whose units changed since it was reviewed is refused and the units are named; so is one that did not pass validation, or that was submitted before. A plan that touches the way that this request came in on, or any plan with `confirm_timeout`, is in force for a while only: unless it is confirmed over the way that it leads to, everything goes back, also when the service or the machine dies meanwhile. The host is checked again: where somebody changed it by hand since a unit was applied, the plan is refused with `drift_unconfirmed` unless `overwrite_drift` names the unit, and with `plan_stale` where that change came after the review; nothing is overwritten in silence, for programs neither. The units that a plan was made for with `reapply` count as named. The change begins a second after the answer.',
  params: idParam('plan_id', 'Id of the plan.'),
  body: planSubmit,
  answers: {
    202: {
      description: 'The job that was queued, and how the plan is to be confirmed.',
      schema: submittedSchema,
      located: true,
    },
  },
  problems: ['resource_not_found', 'state_conflict', 'plan_stale', 'drift_unconfirmed', 'host_refused'],
  audit: ['plan.submit'],
  async prepare({ services, params, body, request }) {
    const plan = await findPlan(services.store, params.plan_id);
    const foreign = body.overwrite_drift?.find((id) => !plan.units.some((unit) => unit.id === id));
    if (foreign) throw invalid({ pointer: '/overwrite_drift', detail: `The unit ${foreign} is not in this plan.` });
    if (plan.state === 'open') {
      await refuseUnreviewed(services, plan.units);
      // A plan that is refused for its digest is refused for that.
      if (body.digest === plan.digest) await refuseDrift(services, plan.units, overwrites(plan, body.overwrite_drift));
    }
    return needOf(services, plan, arrivalOf(request));
  },
  async run({ services, tx, params, body, actor, request, prepared, audit }) {
    const { confirm, listeners } = prepared as Need;
    const { local: arrived_at } = arrivalOf(request);
    const timeout_seconds = body.confirm_timeout ?? (confirm ? WINDOW.default : null);
    const wanted =
      timeout_seconds === null ? null : { timeout_seconds, because: confirm?.because ?? [], arrived_at, listeners };
    const { overwrite_drift } = body;
    const reviewed = { digest: body.digest, note: body.note ?? '', window: wanted, overwrite_drift };
    const plan = await submitPlan(tx, services, params.plan_id, reviewed, actor.name);
    const { id, job_id, digest, units, note, window } = plan;
    const detail = {
      job_id,
      digest,
      units: units.map((unit) => unit.id),
      note,
      ...(plan.overwrite_drift.length > 0 && { overwrite_drift: plan.overwrite_drift }),
      ...(window && { confirm_timeout: window.timeout_seconds }),
    };
    audit({ action: 'plan.submit', resource_type: 'plan', resource_id: id, detail });
    const opened = window && {
      nonce: window.nonce,
      timeout_seconds: window.timeout_seconds,
      addresses: confirmAt(window),
    };
    const answer = { plan_id: id, job_id: job_id!, confirm: opened };
    return { status: 202, headers: { location: `/api/v1/jobs/${job_id}` }, body: answer };
  },
});
