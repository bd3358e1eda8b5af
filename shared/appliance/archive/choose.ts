// What of a difference is taken over: the mode, and what was chosen of units, collections and rows. Rows that another keeps
// go with their keeper. Then the state that follows, and what would be broken in it.

import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import { type CollectionDifference, type RowDifference, totalOf } from './difference.ts';
import type { ManyRows } from './many/many-rows.ts';
import type { Mode } from './modes.ts';
import { byPlace, differenceOf } from './now.ts';
import { type ArchiveRow, type Keys, keyOf, type State, titleOf } from './rows.ts';
import { collectionOf, PARTS, SETTINGS_TABLE, TABLES, type Table } from './tables.ts';

/** Without `collections` the whole part, without `rows` the whole collection. */
export interface ChosenPart {
  unit: string;
  collections?: { collection: string; rows?: string[] | undefined }[] | undefined;
}

export interface Choice {
  mode: Mode;
  /** Null: everything. */
  units: readonly ChosenPart[] | null;
}

const TAKES: Readonly<Record<Mode, ReadonlySet<RowDifference['kind']>>> = {
  replace: new Set(['added', 'changed', 'removed']),
  merge: new Set(['added', 'changed']),
  'add-only': new Set(['added']),
};

/** Names in the choice that are in no difference: they are told, because a slip must not restore less than was meant. */
function chosenRows(all: readonly CollectionDifference[], { mode, units }: Choice): CollectionDifference[] {
  const takes = TAKES[mode];
  const direct = all.map((difference) => ({
    ...difference,
    rows: difference.rows.filter((row) => takes.has(row.kind) && isChosen(units, difference, row)),
  }));
  const accepted = new Map(direct.map(({ table, rows }) => [table.name, new Map(rows.map((row) => [row.id, row]))]));
  const differing = new Map(all.map(({ table, rows }) => [table.name, new Set(rows.map(({ id }) => id))]));
  return direct
    .map((difference, at) => ({
      ...difference,
      rows: withKeepers(difference, all[at]!.rows, accepted, differing),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function isChosen(units: Choice['units'], { part, collection }: CollectionDifference, { id }: RowDifference): boolean {
  if (units === null) return true;
  return units.some(
    ({ unit, collections }) =>
      unit === part.id &&
      (collections === undefined ||
        collections.some((each) => each.collection === collection && (each.rows?.includes(id) ?? true))),
  );
}

/**
 * What is taken over, and the rows of very many that would name what is not there: those are chosen by their own statements.
 */
export async function chosen(
  now: State,
  all: readonly CollectionDifference[],
  many: readonly ManyRows[],
  choice: Choice,
): Promise<{ picked: CollectionDifference[]; broken: Blocker[] }> {
  const small = all.filter((difference) => !difference.many);
  const picked = chosenRows(small, choice);
  const broken: Blocker[] = [];
  for (const of of many) {
    const { table } = of;
    const then = stateWith(now, picked);
    const there = new Map([...table.refers.values()].map((name) => [name, (then.get(name) ?? []).map(({ id }) => id)]));
    const takes = [...TAKES[choice.mode]];
    const verdicts = verdictsOn(table, small, choice);
    const { counts, dangling } = await of.pick({ takes, rows: rowsChosen(choice.units, of), verdicts, there });
    broken.push(...dangling.map(({ title, refers }) => blockerOf(table, title, wouldMiss(refers))));
    const difference = differenceOf(of, counts, await of.told('picked'));
    if (totalOf(difference) > 0) picked.push(difference);
  }
  return { picked: picked.sort(byPlace), broken };
}

/** Null: all of them. */
function rowsChosen(units: Choice['units'], { table }: ManyRows): string[] | null {
  if (units === null) return null;
  const own = units.filter(({ unit }) => PARTS.find(({ id }) => id === unit)?.tables.includes(table));
  const lists = own.flatMap(({ collections }) => {
    if (collections === undefined) return [null];
    return collections
      .filter(({ collection }) => collection === collectionOf(table.name))
      .map(({ rows }) => rows ?? null);
  });
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

/** Of each row that differs and may keep one of the table: whether it is taken over. */
function verdictsOn(
  { owners }: Table,
  all: readonly CollectionDifference[],
  { mode, units }: Choice,
): [string, string, boolean][] {
  const keepers = new Set(owners.values());
  return all
    .filter(({ table }) => keepers.has(table.name))
    .flatMap((difference) =>
      difference.rows.map((row): [string, string, boolean] => {
        const taken = TAKES[mode].has(row.kind) && isChosen(units, difference, row);
        return [difference.table.name, row.id, taken];
      }),
    );
}

const wouldMiss = (refers: string): string =>
  `What it needs of ${TABLES.find(({ name }) => name === refers)!.label} would not be there.`;

type Accepted = ReadonlyMap<string, ReadonlyMap<string, RowDifference>>;

/** A kept row changes exactly where its keeper does; where that is the same on both sides, it is chosen as others are. */
function withKeepers(
  { table, rows }: CollectionDifference,
  every: readonly RowDifference[],
  accepted: Accepted,
  differing: ReadonlyMap<string, ReadonlySet<string>>,
): RowDifference[] {
  if (table.owners.size === 0) return rows;
  const direct = new Set(rows);
  return every.filter((row) => {
    const verdicts = [row.now, row.wanted].flatMap((each) => {
      const keeper = each && table.owners.get(String(each.owner_source));
      if (!keeper) return [];
      const ref = String(each.owner_ref);
      if (accepted.get(keeper)?.has(ref)) return [true];
      return differing.get(keeper)?.has(ref) ? [false] : [];
    });
    return verdicts.length === 0 ? direct.has(row) : verdicts.includes(true);
  });
}

/** The state of now with what was chosen of the difference. */
export function stateWith(now: State, differences: readonly CollectionDifference[]): State {
  const state = new Map([...now].map(([name, rows]) => [name, new Map(rows.map((row) => [row.id, row]))]));
  for (const { table, rows, many } of differences) {
    if (many) continue;
    const standing = state.get(table.name) ?? new Map<string, ArchiveRow>();
    state.set(table.name, standing);
    for (const { id, wanted, now: was } of rows) {
      if (wanted) standing.set(wanted.id, wanted);
      else standing.delete(was?.id ?? id);
    }
  }
  return new Map([...state].map(([name, rows]) => [name, [...rows.values()]]));
}

/** Rows that would name what is not there, and rows that would be known by the same. */
export function brokenIn(state: State): Blocker[] {
  const ids = new Map([...state].map(([name, rows]) => [name, new Set(rows.map(({ id }) => id))]));
  const keys: Keys = new Map();
  const blockers: Blocker[] = [];
  for (const table of TABLES) {
    const rows = state.get(table.name) ?? [];
    keys.set(table.name, new Map(rows.map((row) => [String(row.id), keyOf(table, row, keys)])));
    const title = (row: ArchiveRow): string => titleOf(table, row, keys);
    blockers.push(...dangling(table, rows, ids, title), ...twins(table, rows, keys, title));
  }
  return blockers;
}

const blockerOf = (table: Table, title: string, reason: string): Blocker => ({
  subject: `${table.label}: ${title}`,
  reason,
  page: pagePath('apply'),
  unblock: 'Choose it together with what it needs, or leave it out',
});

function dangling(
  table: Table,
  rows: readonly ArchiveRow[],
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  title: (row: ArchiveRow) => string,
): Blocker[] {
  return [...table.refers].flatMap(([column, other]) => {
    return rows
      .filter((row) => row[column] !== null && !ids.get(other)?.has(String(row[column])))
      .map((row) => blockerOf(table, title(row), wouldMiss(other)));
  });
}

/** The natural key, and texts that are unique alone. */
function twins(table: Table, rows: readonly ArchiveRow[], keys: Keys, title: (row: ArchiveRow) => string): Blocker[] {
  if (table.name === SETTINGS_TABLE.name) return [];
  const alone = table.unique.filter((column) => !table.key.includes(column));
  const texts: ((row: ArchiveRow) => string)[] = [
    (row) => JSON.stringify(keys.get(table.name)!.get(String(row.id))),
    ...alone.map((column) => (row: ArchiveRow) => String(row[column])),
  ];
  return [...texts.flatMap(same), ...[...table.meanwhile].flatMap(second)];

  function second([column, many]: [string, string]): Blocker[] {
    const one = rows.filter((row) => row[column] !== many);
    return one.flatMap((row, at) =>
      one.slice(0, at).some((before) => before[column] === row[column])
        ? [blockerOf(table, title(row), `Another one is ${String(row[column])} already.`)]
        : [],
    );
  }

  function same(text: (row: ArchiveRow) => string): Blocker[] {
    const seen = new Set<string>();
    return rows.flatMap((row) => {
      const key = text(row);
      if (!seen.has(key)) {
        seen.add(key);
        return [];
      }
      return [blockerOf(table, title(row), 'Another row is known by the same.')];
    });
  }
}
