// How the state of now and that of an archive differ: row by row, under the parts and collections that they belong to. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { ManyRows } from './many/many-rows.ts';
import { type ArchiveRow, type Json, type Keys, keyOf, type State, titleOf } from './rows.ts';
import { collectionOf, PARTS, type Part, SETTINGS_TABLE, TABLES, type Table } from './tables.ts';

export interface Field {
  name: string;
  /** Null on both sides for a secret: that it differs is all that is told. */
  from: Json;
  to: Json;
  secret?: true;
}

export interface RowDifference {
  /** By which the row is chosen. */
  id: string;
  title: string;
  kind: 'added' | 'changed' | 'removed';
  now: ArchiveRow | null;
  wanted: ArchiveRow | null;
  fields: Field[];
}

export interface CollectionDifference {
  part: Part;
  table: Table;
  /** `dns_records`; for settings `settings`. */
  collection: string;
  label: string;
  rows: RowDifference[];
  /** Of a table of very many rows: those are the first of them, and so many there are in all. */
  many?: { of: ManyRows; counts: Counts };
}

export type Counts = Record<RowDifference['kind'], number>;

export function countsOf({ rows, many }: CollectionDifference): Counts {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const { kind } of rows) counts[kind] += 1;
  return many?.counts ?? counts;
}

/** Rows that differ. */
export function totalOf(difference: CollectionDifference): number {
  const { added, changed, removed } = countsOf(difference);
  return added + changed + removed;
}

/** Members that are hashes or sealed: they are compared and never shown. */
const UNSEEN = new Set(['secret', 'password_hash']);
/** What a row is made of, beside its id. */
const compared = ({ columns, secret, as }: Table): string[] => [
  ...columns,
  ...(secret.length > 0 && as === 'sealed' ? ['secret'] : []),
];

export const SETTINGS_COLLECTION = 'settings';

/** Only collections that the archive carries, and only those that differ. */
export function differencesBetween(now: State, wanted: State): CollectionDifference[] {
  const keys: Keys = new Map();
  for (const table of TABLES) {
    const all = [...(now.get(table.name) ?? []), ...(wanted.get(table.name) ?? [])];
    keys.set(table.name, new Map(all.map((row) => [String(row.id), keyOf(table, row, keys)])));
  }
  return PARTS.flatMap((part) => [
    ...part.tables.map((table) => ({
      part,
      table,
      collection: collectionOf(table.name),
      label: table.label,
      rows: rowsBetween(table, now.get(table.name) ?? [], wanted.get(table.name) ?? null, keys),
    })),
    {
      part,
      table: SETTINGS_TABLE,
      collection: SETTINGS_COLLECTION,
      label: 'Settings',
      rows: documentsBetween(part, now, wanted),
    },
  ]).filter(({ rows }) => rows.length > 0);
}

function rowsBetween(
  table: Table,
  now: readonly ArchiveRow[],
  wanted: readonly ArchiveRow[] | null,
  keys: Keys,
): RowDifference[] {
  if (wanted === null) return [];
  const standing = new Map(now.map((row) => [row.id, row]));
  const coming = new Set(wanted.map(({ id }) => id));
  const names = compared(table);
  if (table.onlyAdded) return addedOnly(table, standing, wanted, keys);
  const changes = wanted.flatMap((row): RowDifference[] => {
    const was = standing.get(row.id) ?? null;
    const fields = was ? fieldsBetween(names, was, row) : [];
    if (was && fields.length === 0) return [];
    const title = titleOf(table, row, keys);
    return [{ id: String(row.id), title, kind: was ? 'changed' : 'added', now: was, wanted: row, fields }];
  });
  const removed = now.flatMap((row): RowDifference[] =>
    coming.has(row.id)
      ? []
      : [{ id: String(row.id), title: titleOf(table, row, keys), kind: 'removed', now: row, wanted: null, fields: [] }],
  );
  return [...changes, ...removed];
}

/** Data that no older state may take away or turn back. */
const addedOnly = (
  table: Table,
  standing: ReadonlyMap<string, ArchiveRow>,
  wanted: readonly ArchiveRow[],
  keys: Keys,
): RowDifference[] =>
  wanted.flatMap((row): RowDifference[] =>
    standing.has(row.id)
      ? []
      : [{ id: row.id, title: titleOf(table, row, keys), kind: 'added', now: null, wanted: row, fields: [] }],
  );

export const fieldsBetween = (names: readonly string[], was: ArchiveRow, row: ArchiveRow): Field[] =>
  names.flatMap((name): Field[] => {
    const [from, to] = [was[name] ?? null, row[name] ?? null];
    if (isDeepStrictEqual(from, to)) return [];
    return [UNSEEN.has(name) ? { name, from: null, to: null, secret: true } : { name, from, to }];
  });

/** A document that was never saved is one with its defaults. */
function documentsBetween({ documents }: Part, now: State, wanted: State): RowDifference[] {
  const [standing, coming] = [now, wanted].map(
    (state) => new Map((state.get(SETTINGS_TABLE.name) ?? []).map((row) => [row.id, row])),
  );
  return documents.flatMap(({ key, label, defaults }): RowDifference[] => {
    const { listen_addresses: _derived, ...usual } = defaults as Record<string, Json>;
    if (!wanted.has(SETTINGS_TABLE.name)) return [];
    const row = coming!.get(key) ?? { id: key, document: usual };
    const was = standing!.get(key) ?? { id: key, document: usual };
    const [before, after] = [was.document as Record<string, Json>, row.document as Record<string, Json>];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const fields = fieldsBetween(names, { ...before, id: key }, { ...after, id: key });
    if (fields.length === 0) return [];
    // Nothing was saved in the archive: to have the same is to go back to the defaults.
    return [{ id: key, title: label, kind: coming!.has(key) ? 'changed' : 'removed', now: was, wanted: row, fields }];
  });
}
