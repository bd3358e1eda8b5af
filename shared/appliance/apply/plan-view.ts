// A plan as the API answers it.
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { PlannedUnit } from './plan.ts';
import type { FollowedPlan, PlanSummary } from './plan-store.ts';
import type { WindowRecord } from './window/record.ts';
import { readWindowOf, windowView } from './window/view.ts';

export function planView(
  { journal, units, window, changes_filter: _decided, ...plan }: FollowedPlan,
  record: WindowRecord | 'damaged' | null,
  { scopes }: Actor,
) {
  return {
    ...plan,
    units: units.map((unit) => ({ ...unit, drift: driftView(unit), reached: journal[unit.id] ?? null })),
    window: windowView(window, record, scopes.has('write:apply')),
  };
}

function driftView({ drift }: PlannedUnit) {
  return drift ? { lines: drift.lines, more: drift.more, raw: drift.raw } : null;
}

/** Summaries without what confirms them. At most one of them has a window that may be open. */
export async function summaryViews(services: Services, items: readonly PlanSummary[]) {
  const running = items.find(({ window }) => window !== null && window.ended === null);
  const record = running ? await readWindowOf(services, running) : null;
  return items.map(({ window, ...item }) => ({
    ...item,
    window: windowView(window, item.id === running?.id ? record : null, false),
  }));
}
