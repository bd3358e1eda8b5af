// Users and groups of one organisation as rows of a file: the columns, and how a cell says a member. No column holds a password.
import { type Cell, truthOf } from '../../../ground/csv.ts';
import type { AnyCollection, Draft } from '../../../platform/units/collection.ts';
import { type ImportedRows, rowsOf } from '../../../platform/units/imported-rows.ts';
import { groups } from '../groups.ts';
import { users } from '../users.ts';

export const KINDS = ['users', 'groups'] as const;
export type Kind = (typeof KINDS)[number];

/** Rows of a file. A larger one is sent in parts. */
export const ROWS_MOST = 2_000;

interface Shape {
  collection: AnyCollection;
  /** Its rows in a file, which has other columns than that of all organisations. */
  into: ImportedRows;
  /** The column that names an entry. */
  key: 'uid' | 'name';
  columns: readonly string[];
  /** Names are one whatever their case. */
  keyOf(name: string): string;
}

const shape = (collection: AnyCollection, columns: readonly ['uid' | 'name', ...string[]]): Shape => ({
  collection,
  into: rowsOf({ ...collection, imports: { key: [columns[0]], columns, most: ROWS_MOST } }),
  key: columns[0],
  columns,
  keyOf: (name) => name.toLowerCase(),
});

export const SHAPES: Record<Kind, Shape> = {
  users: shape(users, [
    ...(['uid', 'kind', 'given_name', 'surname', 'display_name', 'mail', 'telephone'] as const),
    ...(['enabled', 'description'] as const),
  ]),
  groups: shape(groups, ['name', 'member_users', 'member_groups', 'enabled', 'description']),
};

const LISTS = new Set(['member_users', 'member_groups']);
/** An empty cell of these says nothing, since no empty value is one of theirs. */
const SILENT = new Set(['enabled', 'kind']);

/** Names in one cell are separated by semicolons, which no name has. */
export const cellOf = (column: string, value: unknown): Cell =>
  LISTS.has(column) ? (value as string[]).join(';') : (value as Cell);

function memberOf(column: string, cell: string): unknown {
  const text = cell.trim();
  if (LISTS.has(column)) return text.split(';').flatMap((name) => name.trim() || []);
  if (text === '' && SILENT.has(column)) return undefined;
  return column === 'enabled' ? (truthOf(text) ?? text) : text;
}

/** The members that a row says, by its columns. */
export const draftOf = (cells: ReadonlyMap<string, string>): Draft =>
  Object.fromEntries(
    [...cells].flatMap(([column, cell]) => {
      const value = memberOf(column, cell);
      return value === undefined ? [] : [[column, value]];
    }),
  );
