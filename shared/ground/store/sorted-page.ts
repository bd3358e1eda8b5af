// A page of a list in the order that a person asked for, by keyset: of a table in one statement, or of rows that are in memory
// because a host has few of them.
import type { Knex } from 'knex';
import { build } from './builder.ts';
import type { Database } from './database.ts';
import { decodeCursor, foreignCursor, type Page, pageOf } from './pagination.ts';

export interface Asked {
  /** A name of `sorts`, `-` before it for descending; anything else is the list's own order. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

interface Order {
  /** Name → the expression that sorts by it, which is never null. */
  sorts: Readonly<Record<string, string>>;
  /** Columns of the list's own order, together unique. */
  own: readonly [string, ...string[]];
  /** The own order goes down: the newest first. */
  descending?: boolean;
}

/** The parts of `sort`; null where it is the list's own order. */
function asked(sorts: object, sort = ''): { name: string; descending: boolean } | null {
  const name = sort.replace(/^-/, '');
  return Object.hasOwn(sorts, name) ? { name, descending: sort.startsWith('-') } : null;
}

/** Where the page before ended. @throws Problem 400 when the cursor was issued for another order */
function placeIn(cursor: string, sort: string | null, width: number): (string | number)[] {
  const named = sort === null ? 0 : 1;
  const values = decodeCursor(cursor, named + width);
  if (sort !== null && values[0] !== sort) throw foreignCursor();
  return values.slice(named);
}

/** One statement. @throws Problem 400 for a cursor of another list or order. */
export async function sortedPage<Row extends object, Item>(
  db: Database,
  list: Knex.QueryBuilder,
  { sorts, own, descending: down = false }: Order,
  { sort, limit, cursor }: Asked,
  view: (row: Row) => Item,
): Promise<Page<Item>> {
  const by = asked(sorts, sort);
  const order = [...(by === null ? [] : [sorts[by.name]!]), ...own];
  const descending = by === null ? down : by.descending;
  for (const [at, expression] of order.entries()) {
    list.select(build.raw(`${expression} AS place_${at}`)).orderByRaw(`${expression}${descending ? ' DESC' : ''}`);
  }
  const named = by === null ? null : sort!;
  if (cursor) {
    const row = order.map(() => '?').join(', ');
    list.whereRaw(`(${order.join(', ')}) ${descending ? '<' : '>'} (${row})`, placeIn(cursor, named, order.length));
  }
  const rows = await db.all<Row & Record<string, string | number>>(list.limit(limit + 1));
  const place = (row: Record<string, string | number>) => order.map((_expression, at) => row[`place_${at}`]!);
  return pageOf(rows, limit, (row) => [...(named === null ? [] : [named]), ...place(row)], view);
}

/** Texts with their numbers in order: `ens2` before `ens10`. */
export const natural = (text: string): string => text.replaceAll(/\d+/g, (digits) => digits.padStart(6, '0'));

interface InMemory<Row> extends Asked {
  sorts: Readonly<Record<string, (row: Row) => string | number>>;
  /** The own order, unique. */
  own(row: Row): string;
}

/** The same of rows that were read already. @throws Problem 400 for a cursor of another list or order. */
export function sortedRows<Row>(rows: readonly Row[], { sorts, own, sort, limit, cursor }: InMemory<Row>): Page<Row> {
  const by = asked(sorts, sort);
  const keysOf = (row: Row) => (by === null ? [own(row)] : [sorts[by.name]!(row), own(row)]);
  const sign = by?.descending ? -1 : 1;
  const named = by === null ? null : sort!;
  const keyed = rows.map((row) => ({ row, keys: keysOf(row) }));
  keyed.sort((one, other) => sign * compare(one.keys, other.keys));
  const last = cursor ? placeIn(cursor, named, by === null ? 1 : 2) : null;
  const rest = last === null ? keyed : keyed.filter(({ keys }) => sign * compare(keys, last) > 0);
  const key = ({ keys }: { keys: (string | number)[] }) => [...(named === null ? [] : [named]), ...keys];
  return pageOf(rest.slice(0, limit + 1), limit, key, ({ row }) => row);
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [at, value] of one.entries()) {
    const its = other[at]!;
    if (value !== its) return value < its ? -1 : 1;
  }
  return 0;
}

/** A part of one of the expressions, in any case, signs for what they are. */
export function searchIn(list: Knex.QueryBuilder, expressions: readonly string[], part: string | undefined): void {
  if (!part) return;
  const places = expressions.map((expression) => `instr(lower(${expression}), lower(?)) > 0`);
  list.whereRaw(
    `(${places.join(' OR ')})`,
    expressions.map(() => part),
  );
}
