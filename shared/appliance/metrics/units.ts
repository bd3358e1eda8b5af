// Units and applies in numbers, from the one comparison that every page takes its words from.
import { type Family, gauge, type Sample, secondsOf } from '../../ground/metrics/exposition.ts';
import type { Database } from '../../ground/store/database.ts';
import { lastApplies } from '../apply/last-applies.ts';
import type { Standing } from '../states/standing.ts';

/** Pure. */
export function unitMetrics(units: readonly Standing[]): Family[] {
  const each = (value: (unit: Standing) => number | null): Sample[] =>
    units.flatMap((unit) => {
      const found = value(unit);
      return found === null ? [] : [{ labels: { unit: unit.unit }, value: found }];
    });
  const gauges = (name: string, help: string, value: (unit: Standing) => number | null): Family =>
    gauge(name, help, each(value));
  return [
    gauges('groundcrew_unit_pending', 'Whether an apply would change the unit: 1 or 0.', ({ pending }) =>
      pending ? 1 : 0,
    ),
    gauges(
      'groundcrew_unit_drifted',
      'Whether the host differs from what was applied: 1 or 0; left out before the first comparison.',
      ({ drift }) => (drift === null || drift.state === 'unreadable' ? null : drift.state === 'drifted' ? 1 : 0),
    ),
    gauges(
      'groundcrew_unit_probe_up',
      'Whether the service answered as applied when it was last asked: 1 or 0; left out of what is not asked.',
      ({ probe }) => (probe === null ? null : probe.ok ? 1 : 0),
    ),
    gauges(
      'groundcrew_unit_applied_timestamp_seconds',
      'When the unit was last applied, in seconds since 1970.',
      (unit) => (unit.applied_at === null ? null : secondsOf(unit.applied_at)),
    ),
  ];
}

/** One statement. */
export async function applyMetrics(db: Database, now: Date): Promise<Family[]> {
  const { ended, deadline_at } = await lastApplies(db);
  return [
    gauge(
      'groundcrew_apply_last_ended_timestamp_seconds',
      'When a plan last ended so, in seconds since 1970, by how it ended.',
      ended.map(({ state, at }) => ({ labels: { state }, value: secondsOf(at) })),
    ),
    gauge(
      'groundcrew_confirm_window_left_seconds',
      'Until an apply that waits for its confirmation is rolled back; left out while none waits.',
      deadline_at === null ? [] : Math.max(0, secondsOf(deadline_at) - now.getTime() / 1000),
    ),
  ];
}
