// What pages say of the units, and the last found differences between the host and what was applied, as the API answers them.

import type { Database } from '../../ground/store/database.ts';
import { unitName } from '../../platform/unit-names.ts';
import { whyNotAdoptable } from '../apply/adopt.ts';
import { DRIFT_EVERY } from '../apply/drift.ts';
import { lineWords } from '../apply/drift-store.ts';
import { UNITS } from '../units.ts';
import { enforcedStandings } from './standing.ts';

const UNKNOWN = { state: 'unknown', checked_at: null, first_seen_at: null, last_seen_at: null, lines: [], more: 0 };

/** The units in the order of an apply. */
export async function driftReport(appliance: Parameters<typeof enforcedStandings>[0], db?: Database) {
  const standings = await enforcedStandings(appliance, db);
  const items = UNITS.map((unit) => {
    const { state: standing, pending, probe, drift } = standings.get(unit.id)!;
    const not_adoptable = whyNotAdoptable(unit, drift);
    return {
      unit: unit.id,
      label: unitName(unit.id),
      standing,
      pending,
      probe,
      ...(drift ? { ...drift, lines: drift.lines.map(lineWords) } : UNKNOWN),
      adoptable: not_adoptable === null,
      not_adoptable,
    };
  });
  return { every_seconds: DRIFT_EVERY, items };
}
