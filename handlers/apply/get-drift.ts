// The last found differences between the host and what was applied.
import { whyNotAdoptable } from '../../shared/appliance/apply/adopt.ts';
import { DRIFT_EVERY } from '../../shared/appliance/apply/drift.ts';
import { lineWords, unitStandings } from '../../shared/appliance/apply/drift-store.ts';
import { driftSchema } from '../../shared/appliance/apply/schemas.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const UNKNOWN = { state: 'unknown', checked_at: null, first_seen_at: null, last_seen_at: null, lines: [], more: 0 };

export const operation = defineOperation({
  id: 'getDrift',
  method: 'GET',
  path: '/api/v1/apply/drift',
  plane: 'api',
  access: { scope: 'read:apply' },
  effect: 'read',
  tag: 'Apply',
  summary: 'Get what the host differs in',
  description:
    'Every few minutes, but not while an apply runs, the host is compared with what was applied: the configuration files of each unit, the links, addresses, MTU and default routes of the interfaces, whether packets are forwarded between those with the role route and from no others, and whether the daemons run. What others added to the host (an address, a route, a file) is not looked for. To undo a difference, make a plan of the unit with `reapply`; where a unit is adoptable, its differences can become the saved values instead.',
  answers: { 200: { description: 'The units in the order of an apply as it is now.', schema: driftSchema } },
  async run({ db }) {
    const standings = await unitStandings(db);
    const items = UNITS.map((unit) => {
      const drift = standings.get(unit.id)?.drift ?? null;
      const not_adoptable = whyNotAdoptable(unit, drift);
      return {
        unit: unit.id,
        label: unit.label,
        ...(drift ? { ...drift, lines: drift.lines.map(lineWords) } : UNKNOWN),
        adoptable: not_adoptable === null,
        not_adoptable,
      };
    });
    return { body: { every_seconds: DRIFT_EVERY, items } };
  },
});
