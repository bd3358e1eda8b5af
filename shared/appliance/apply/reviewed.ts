// What is enforced is what was reviewed: every unit of a plan is rendered again and compared, at the submit and once more
// when the job begins, before anything is touched.

import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { digestOf } from '../../platform/applied/baseline.ts';
import { requireManagementListener } from '../../platform/interfaces/listener-required.ts';
import { findUnit } from '../units.ts';
import { render } from './make-plan.ts';
import type { PlannedUnit } from './plan.ts';

/**
 * @throws Problem 409 `plan_stale` naming the units that render differently now, `state_conflict` when nobody could reach
 * the management UI any more.
 */
export async function refuseUnreviewed(services: Services, planned: readonly PlannedUnit[]): Promise<void> {
  await requireManagementListener(services.store, planned);
  const differing: PlannedUnit[] = [];
  for (const unit of planned) {
    const { files } = await render(services, findUnit(unit.id));
    if (digestOf(files) !== unit.digest) differing.push(unit);
  }
  if (differing.length === 0) return;
  const names = differing.map((unit) => unit.label).join(', ');
  throw new Problem('plan_stale', `${names} changed after this plan was made. Review a new plan.`, {
    units: differing.map((unit) => unit.id),
  });
}
