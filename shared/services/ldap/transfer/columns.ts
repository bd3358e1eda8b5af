// The columns of files with users or groups, and how a cell says a member. No column holds a password.
import type { Cell } from '../../../ground/csv.ts';
import type { AnyCollection, Draft } from '../../../platform/units/collection.ts';
import { groups } from '../groups.ts';
import { users } from '../users.ts';

export const KINDS = ['users', 'groups'] as const;
export type Kind = (typeof KINDS)[number];

interface Shape {
  collection: AnyCollection;
  /** The column that names an entry. */
  key: 'uid' | 'name';
  columns: readonly string[];
  /** Names are one whatever their case. */
  keyOf(name: string): string;
}

export const SHAPES: Record<Kind, Shape> = {
  users: {
    collection: users,
    key: 'uid',
    columns: ['uid', 'kind', 'given_name', 'surname', 'display_name', 'mail', 'telephone', 'enabled', 'description'],
    keyOf: (name) => name.toLowerCase(),
  },
  groups: {
    collection: groups,
    key: 'name',
    columns: ['name', 'member_users', 'member_groups', 'enabled', 'description'],
    keyOf: (name) => name.toLowerCase(),
  },
};

const LISTS = new Set(['member_users', 'member_groups']);
/** An empty cell of these says nothing, since no empty value is one of theirs. */
const SILENT = new Set(['enabled', 'kind']);
const YES_NO: Readonly<Record<string, boolean>> = { true: true, false: false, yes: true, no: false, 1: true, 0: false };

/** Names in one cell are separated by semicolons, which no name has. */
export const cellOf = (column: string, value: unknown): Cell =>
  LISTS.has(column) ? (value as string[]).join(';') : (value as Cell);

function memberOf(column: string, cell: string): unknown {
  const text = cell.trim();
  if (LISTS.has(column)) return text.split(';').flatMap((name) => name.trim() || []);
  if (text === '' && SILENT.has(column)) return undefined;
  return column === 'enabled' ? (YES_NO[text.toLowerCase()] ?? text) : text;
}

/** The members that a row says, by the columns of its head. */
export const draftOf = (head: readonly string[], cells: readonly string[]): Draft =>
  Object.fromEntries(
    head.flatMap((column, at) => {
      const value = memberOf(column, cells[at] ?? '');
      return value === undefined ? [] : [[column, value]];
    }),
  );
