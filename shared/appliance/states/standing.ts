// The state of each unit, said in one word everywhere: strip, navigation, pages, API and review take it from here.
import type { Database } from '../../ground/store/database.ts';
import { UNIT_IDS } from '../../kernel/generated/units.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { type Drift, type Probed, unitStandings } from '../apply/drift-store.ts';
import { UNITS } from '../units.ts';
import { type Comparison, compareUnits } from './comparison.ts';
import { STATE_IDS, type StateId } from './state-ids.ts';

export { STATE_IDS, type StateId };

export interface Standing {
  unit: UnitId;
  label: string;
  state: StateId;
  /** Whether an apply would change it, whatever else is to be said of it. */
  pending: boolean;
  /** What is in force of it, also while something of it is pending. */
  applied: 'in_force' | 'rehearsed';
  /** RFC 3339; null: never. */
  applied_at: string | null;
  plan_id: string | null;
  desired_version: number;
  drift: Drift | null;
  probe: Probed | null;
  /** Null of a unit that no apply enforces. */
  comparison: Comparison | null;
}

export interface Situation {
  /** Whether an apply makes it true at all. */
  enforced: boolean;
  /** Whether the host driver changes the machine. */
  enforces: boolean;
  off: boolean;
  applied: boolean;
  pending: boolean;
  drift: Drift['state'] | null;
  answers: boolean | null;
}

/** Pure. What hurts comes first, then what waits, then what is. */
export function stateOf({ enforced, enforces, off, applied, pending, drift, answers }: Situation): StateId {
  if (!enforced) return off ? 'off' : 'not_enforced';
  if (answers === false) return 'failing';
  if (drift === 'drifted') return 'drifted';
  if (pending) return 'pending';
  if (off) return 'off';
  if (!applied) return 'saved';
  return enforces ? 'in_force' : 'rehearsed';
}

type Appliance = Parameters<typeof compareUnits>[0];
type Standings = ReadonlyMap<UnitId, Standing>;

/** Of the units that an apply enforces: one statement, and what was saved or applied since the last time. */
export async function enforcedStandings(
  appliance: Appliance,
  db: Database = appliance.store,
): Promise<Map<UnitId, Standing>> {
  const states = await unitStandings(db);
  const compared = await compareUnits(appliance, states);
  return new Map(
    UNITS.map(({ id }) => {
      const label = unitName(id);
      const comparison = compared.get(id)!;
      const {
        drift = null,
        probe = null,
        applied_at = null,
        plan_id = null,
        desired_version = 0,
      } = states.get(id) ?? {};
      const { pending, off } = comparison;
      const applied = appliance.host.enforces ? 'in_force' : 'rehearsed';
      const state = stateOf({
        enforced: true,
        enforces: appliance.host.enforces,
        off,
        applied: applied_at !== null,
        pending,
        drift: drift?.state ?? null,
        answers: probe?.ok ?? null,
      });
      return [
        id,
        { unit: id, label, state, pending, applied, applied_at, plan_id, desired_version, drift, probe, comparison },
      ];
    }),
  );
}

/** Units whose switch takes effect as soon as it is saved. */
const AT_ONCE: ReadonlySet<UnitId> = new Set(['certificate-authority']);

/** Of every unit, in apply order. */
export const standings = async (appliance: Appliance): Promise<Map<UnitId, Standing>> =>
  withOthers(appliance.store, await enforcedStandings(appliance));

/**
 * Adds the units that no apply enforces: one statement. Where a switch takes effect at once, what an apply enforces may be
 * off while the unit is on.
 */
export async function withOthers(db: Database, enforced: Standings): Promise<Map<UnitId, Standing>> {
  const others = UNIT_IDS.filter((id) => !enforced.has(id));
  const saved = await savedDocuments<{ enabled?: boolean }>(db, [...others, ...AT_ONCE]);
  const other = (unit: UnitId): Standing => {
    const on = saved.get(unit)?.enabled === true;
    return {
      ...NOTHING,
      unit,
      label: unitName(unit),
      state: on ? 'not_enforced' : 'off',
    };
  };
  const known = (standing: Standing): Standing => {
    const { unit, state } = standing;
    const on = state === 'off' && AT_ONCE.has(unit) && saved.get(unit)?.enabled === true;
    return on ? { ...standing, state: 'in_force' } : standing;
  };
  return new Map(
    UNIT_IDS.map((id) => {
      const standing = enforced.get(id);
      return [id, standing ? known(standing) : other(id)];
    }),
  );
}

const NOTHING = {
  pending: false,
  applied: 'in_force',
  applied_at: null,
  plan_id: null,
  desired_version: 0,
  drift: null,
  probe: null,
  comparison: null,
} as const;

/** What the strip names: in apply order. */
export const pendingOf = (found: Standings): { id: UnitId; label: string }[] =>
  [...found.values()].flatMap(({ unit, label, pending }) => (pending ? [{ id: unit, label }] : []));
