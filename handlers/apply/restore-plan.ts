// Brings the saved state of an applied plan's units back, and makes the plan that would put it in force again.

import { bringBack, type FormerState, findFormerState } from '../../shared/appliance/apply/applied-rows-restore.ts';
import { restoredPlan } from '../../shared/appliance/apply/applied-rows-schemas.ts';
import { KEPT } from '../../shared/appliance/apply/applied-rows-tables.ts';
import { ensureCertificates, wantedCertificates } from '../../shared/appliance/apply/daemon-certificates.ts';
import { askPrograms, draftPlan, storePlan, type Words, withWords } from '../../shared/appliance/apply/make-plan.ts';
import { arrivalOf } from '../../shared/appliance/apply/window/need.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestFacts } from '../../shared/kernel/operation/operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

interface Ahead {
  former: FormerState;
  words: Words;
}

/**
 * The units' programs check what would be brought back before anything is: they take seconds, and within a
 * transaction nobody else could save. If one of these units is edited meanwhile, the check no longer holds: nothing is saved.
 */
async function askedAhead(services: Services, former: FormerState, by: string, request: RequestFacts): Promise<Words> {
  // Daemons whose names or addresses come back want certificates for those, as before any plan.
  const wanted = await services.store.write(
    async (tx) => {
      const { counts } = await bringBack(tx, services, former);
      return counts.length === 0 ? [] : wantedCertificates(tx, UNITS);
    },
    { rollBack: true },
  );
  await ensureCertificates(services, wanted);
  const tried = async (tx: Transaction) => {
    const { counts } = await bringBack(tx, services, former);
    if (counts.length === 0) return null;
    return draftPlan({ ...services, store: tx }, UNITS, by, { arrival: arrivalOf(request) });
  };
  const draft = await services.store.write(tried, { rollBack: true });
  return draft ? askPrograms(services, draft) : new Map();
}

export const operation = defineOperation({
  id: 'restorePlan',
  method: 'POST',
  path: '/api/v1/apply/plans/{plan_id}/restore',
  access: { scope: 'write:apply' },
  effect: 'desired-state',
  tag: 'Apply',
  summary: 'Bring an earlier state back',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. Every row of the units of an applied plan becomes again what that plan put in force, whoever keeps it: all or nothing, with the same ids, and revisions that go on counting. Interfaces come back by the rules of an edit, and other units follow them. Where interfaces moved since and are not among the units of the plan, what comes back follows them; what cannot is named and refuses all of it. Settings of units that no apply enforces, and adapters that came or went, are left as they are. A certificate that was uploaded for the management UI does not come back: where it is the source, the one that is kept now is planned, and without one the plan is refused by its check. Also needs the write scopes of the units. What the last 50 applied plans put in force is kept. Daemons whose names or addresses come back get their certificates first, as before any plan. The units’ programs check the restored state before it is saved, without blocking other writers; if one of these units is edited meanwhile, nothing is saved, and the answer is 409 `plan_stale`: try again. Where nothing differs nothing is saved; else the answer names a new plan of all that is to be applied, which replaces an open one.',
  params: idParam('plan_id', 'Id of the applied plan.'),
  answers: { 200: { description: 'What was saved, and the plan to review.', schema: restoredPlan } },
  problems: [
    'resource_not_found',
    'state_conflict',
    'plan_stale',
    'dependents_refuse',
    'no_management_listener',
    'insufficient_scope',
    'host_refused',
  ],
  audit: ['plan.restore', 'plan.create', 'plan.settle'],
  async prepare({ services, params, actor, request }) {
    const former = await findFormerState(services.store, services, params.plan_id);
    const needed = former.units.flatMap(({ unit }) => KEPT[unit]!.scopes);
    const scope = needed.find((each) => !actor.scopes.has(each));
    if (scope) throw missingScope(actor, scope, `The units of this plan need ${scope} as well.`);
    return { former, words: request.dry_run ? new Map() : await askedAhead(services, former, actor.name, request) };
  },
  async run({ services, tx, params, prepared, actor, request, audit }) {
    const { former, words } = prepared as Ahead;
    const { units, counts, moves, followed } = await bringBack(tx, services, former);
    const collections = Object.fromEntries(
      counts.map(({ collection, added, changed, removed }) => [collection, { added, changed, removed }]),
    );
    const detail = { units, collections, followed: moves, followed_units: followed };
    audit({ action: 'plan.restore', resource_type: 'plan', resource_id: params.plan_id, detail });
    const body = {
      restored_plan_id: params.plan_id,
      units,
      left_units: former.left,
      collections: counts,
      followed: moves,
      followed_units: followed,
      plan_id: null as string | null,
    };
    if (counts.length === 0 || request.dry_run) return { body };
    // In this transaction, so that nobody's edit comes between what was brought back and its plan.
    const written = { ...services, store: tx };
    const draft = await draftPlan(written, UNITS, actor.name, { arrival: arrivalOf(request) });
    const made = withWords(draft, words);
    await storePlan(tx, made);
    const { plan, settled } = made;
    if (plan.units.length > 0) {
      const facts = { units: plan.units.map(({ id }) => id), digest: plan.digest };
      audit({ action: 'plan.create', resource_type: 'plan', resource_id: plan.id, detail: facts });
      return { body: { ...body, plan_id: plan.id } };
    }
    const facts = { units: settled.map(({ unit }) => unit.id) };
    audit({ action: 'plan.settle', resource_type: 'plan', resource_id: null, detail: facts });
    return { body };
  },
});
