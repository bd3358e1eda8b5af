// Applies a reviewed plan.
import * as v from 'valibot';
import { findPlan } from '../../shared/apply/plan-store.ts';
import { refuseUnreviewed } from '../../shared/apply/reviewed.ts';
import { NOTE_MAX, submitPlan } from '../../shared/apply/submit.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';

export const operation = defineForm(
  {
    id: 'submitPlanForm',
    path: '/ui/management/appliance-apply/{plan_id}/submit',
    access: { session: 'write:apply' },
    tag: 'Apply',
    summary: 'Apply a reviewed plan',
    description:
      'Refuses a plan whose units changed since it was reviewed, locks all mutations, and queues the job that enforces the plan unit by unit.',
    effect: 'queues-job',
    takesLock: true,
    params: idParam('plan_id', 'Id of the plan.'),
    body: v.strictObject({
      digest: v.pipe(
        v.string(),
        v.regex(/^[0-9a-f]{64}$/, 'The form lost the digest of the plan; open the plan again.'),
      ),
      note: v.pipe(v.string(), v.maxLength(NOTE_MAX, `At most ${NOTE_MAX} characters.`)),
    }),
    audit: ['plan.submit'],
    problems: ['resource_not_found', 'state_conflict', 'plan_stale'],
    async prepare({ services, params }) {
      const plan = await findPlan(services.store, params.plan_id);
      if (plan.state === 'open') await refuseUnreviewed(services, plan.units);
    },
    async run({ services, tx, params, body, actor, audit }) {
      const plan = await submitPlan(tx, services, params.plan_id, body, actor.name);
      const detail = {
        job_id: plan.job_id,
        digest: plan.digest,
        units: plan.units.map((unit) => unit.id),
        note: plan.note,
      };
      audit({ action: 'plan.submit', resource_type: 'plan', resource_id: plan.id, detail });
      return { body: { plan_id: plan.id, job_id: plan.job_id } };
    },
  },
  {
    page: '/ui/management/appliance-apply/{plan_id}',
    decode: (fields) => ({ digest: fields.text('digest'), note: fields.text('note') }),
    done: (_answer, _fields, params) => ({ location: `/ui/management/appliance-apply/${params.plan_id}` }),
  },
);
