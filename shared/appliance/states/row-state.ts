// The state of one row of a list, by the facts that a unit makes of it.
import type { UnitId } from '../../platform/unit-names.ts';
import { type Data, type Difference, factKey } from '../../platform/units/facts.ts';
import type { Standing, StateId } from './standing.ts';

export interface RowState {
  state: StateId;
  /** What an apply would change of it. */
  differences: readonly Difference[];
}

/** Which facts a row makes. */
export interface RowFacts {
  unit: UnitId;
  kinds: readonly string[];
  /** The name that the row has in them. */
  name: string;
  /** Where rows share a fact (the values of a name): whether a value of the fact holds this row. */
  within?(value: Data): boolean;
}

type Standings = ReadonlyMap<UnitId, Standing>;

/** What is in force of a unit is in doubt while its service fails, or the host was found to be changed. */
const IN_DOUBT: ReadonlySet<StateId> = new Set(['failing', 'drifted']);

/** What is to be said of a part of a unit that an apply would not change. Pure. */
export const heldState = ({ state, applied }: Pick<Standing, 'state' | 'applied'>): StateId =>
  IN_DOUBT.has(state) ? state : applied;

/** Pure. A row that makes no fact now (its service is off, or nothing names it) is only saved. */
export function rowState(standings: Standings, row: RowFacts, enabled: boolean): RowState {
  const standing = standings.get(row.unit);
  const compared = standing?.comparison;
  if (!standing || !compared) return { state: enabled ? 'not_enforced' : 'off', differences: [] };
  const keys = row.kinds.map((kind) => factKey(kind, row.name));
  const holds = (value: Data | undefined): boolean => value !== undefined && row.within!(value);
  const differences = keys
    .flatMap((key) => compared.differing.get(key) ?? [])
    .filter(({ before, after }) => !row.within || holds(before) !== holds(after));
  if (differences.length > 0) return { state: 'pending', differences };
  if (!enabled) return { state: 'off', differences };
  const made = keys.some((key) => compared.facts.has(key) && (!row.within || holds(compared.facts.get(key))));
  return { state: made ? heldState(standing) : 'saved', differences };
}

/** What of these kinds an apply would add, change or take away: also rows that are no longer saved. */
export function pendingRows(standings: Standings, unit: UnitId, kinds: readonly string[]): Difference[] {
  const differing = standings.get(unit)?.comparison?.differing ?? new Map<string, Difference>();
  return [...differing.values()].filter(({ kind }) => kinds.includes(kind));
}
