// Makes a stored plan of the units that differ from what is in force: what an apply would do, for review.
import { type Prepared, preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { planView } from '../../shared/appliance/apply/plan-view.ts';
import { nothingToPlan, planCreate, planSchema } from '../../shared/appliance/apply/schemas.ts';
import { arrivalOf } from '../../shared/appliance/apply/window/need.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'createPlan',
  method: 'POST',
  path: '/api/v1/apply/plans',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  tag: 'Apply',
  summary: 'Make a plan',
  description:
    'Renders and validates every changed unit, or the named ones, and stores the result as an open plan, which replaces an earlier open one. Of a selection, changed units come along that concern the same interfaces or addresses as the network or the firewall in it, each with its reason. Nothing on the host changes. Changes application state immediately. Where nothing is to be done the answer is 200 without a plan.',
  body: planCreate,
  answers: {
    200: { description: 'Everything that was asked for is already in force.', schema: nothingToPlan },
    201: { description: 'The plan that was created.', schema: planSchema },
  },
  problems: ['host_refused'],
  audit: ['plan.create', 'plan.settle'],
  async prepare({ services, body, actor, request }) {
    if (body.reapply && !body.units) throw invalid({ pointer: '/reapply', detail: 'Name the units as well.' });
    const { ensureDaemonCertificates } = await import('../../shared/appliance/apply/daemon-certificates.ts');
    await ensureDaemonCertificates(services, UNITS);
    return preparePlan(services, UNITS, actor.name, { ...body, arrival: arrivalOf(request) });
  },
  async run({ services, tx, actor, prepared, audit, afterCommit }) {
    const { plan, settled } = prepared as Prepared;
    await storePlan(tx, prepared as Prepared);
    // A unit may have settled, and an older plan is replaced.
    afterCommit(() => services.notify('pending'));
    const units = (plan.units.length > 0 ? plan.units : settled.map(({ unit }) => unit)).map(({ id }) => id);
    if (plan.units.length === 0) {
      audit({ action: 'plan.settle', resource_type: 'plan', resource_id: null, detail: { units } });
      return { body: { plan_id: null, unchanged: plan.unchanged, left_out: plan.left_out } };
    }
    const detail = { units, digest: plan.digest, ...(plan.selection && { selection: plan.selection }) };
    audit({ action: 'plan.create', resource_type: 'plan', resource_id: plan.id, detail });
    return { status: 201, body: planView({ ...plan, journal: {}, stale_units: [] }, null, actor) };
  },
});
