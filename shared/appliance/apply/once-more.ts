// What a plan says of a unit of which nothing saved differs from what was applied: it is put in force once more, over what
// somebody changed on the host.
import type { Host } from '../../ground/machine/host.ts';
import { fileWords } from './changed-files.ts';
import type { PlannedUnit, UnitMaterial } from './plan.ts';
import { runningDifference } from './running-difference.ts';

type Planned = Pick<PlannedUnit, 'says' | 'risk' | 'written' | 'removed'>;

/** What runs on the host other than it was applied, or why that could not be read. Asks programs. */
export async function runningNow(host: Host, { unit, baseline }: UnitMaterial) {
  try {
    return { lines: await runningDifference(host, unit, baseline?.remembered, { look: 'touched' }), unread: [] };
  } catch (error) {
    return { lines: [], unread: [`what runs could not be read: ${(error as Error).message}`] };
  }
}

/** Words, reason and risk in the place of those that the unit itself has for a change of what is saved. */
export function onceMore(
  { inForce }: UnitMaterial,
  { says, risk, written, removed }: Planned,
  running: readonly string[],
): Pick<PlannedUnit, 'says' | 'risk' | 'reason'> {
  const files = [
    ...written.map((path) => fileWords({ path, state: inForce.get(path) === null ? 'missing' : 'changed' })),
    ...removed.map((path) => `${path} is left over`),
  ];
  const lines = [...files, ...running];
  return {
    says: [
      'Nothing that is saved differs from what was applied; it is put in force once more.',
      ...lines.map((line) => `On the host ${line}.`),
      ...says,
    ],
    risk: risk === 'low' && lines.length > 0 ? 'medium' : risk,
    reason: lines.length > 0 ? 'the host differs from what was applied' : 'to be put in force once more',
  };
}
