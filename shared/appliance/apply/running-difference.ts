// What runs on a host other than a unit was applied, as the unit itself can tell.
import type { Host } from '../../ground/machine/host.ts';
import type { AnyUnit, DriftLook } from '../../platform/units/unit.ts';

/** Clauses such as `ens192 lacks 10.0.0.5/24`; none where nothing is enforced. @throws Error when the host can't be read */
export async function runningDifference(
  host: Host,
  unit: AnyUnit,
  remembered: unknown,
  how: DriftLook<unknown> = {},
): Promise<string[]> {
  if (!host.enforces || !unit.drift || remembered === null || remembered === undefined) return [];
  return unit.drift(host, remembered, how);
}
