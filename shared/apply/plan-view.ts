// A plan as the API answers it.
import type { FollowedPlan } from './plan-store.ts';

export function planView({ journal, units, ...plan }: FollowedPlan) {
  return { ...plan, units: units.map((unit) => ({ ...unit, reached: journal[unit.id] ?? null })) };
}
