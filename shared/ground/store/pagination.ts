// Keyset pagination: a cursor names the last row of a page, so that rows added or removed meanwhile shift nothing.
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Problem } from '../problems.ts';
import type { Database, SqlValue } from './database.ts';

export const PAGE_DEFAULT = 100;
export const PAGE_MAX = 1000;
/** Rows that a download reads at once: with the one more that tells of a next page, few enough for the event loop. */
export const PAGE_OF_FILE = 500;
/** The same where each reading goes through the whole table, on a thread: an order without an index is made anew for each page. */
export const PAGE_OF_SORTED = 5_000;

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** Cuts `limit + 1` fetched rows to a page; `key` names the columns that order the list. */
export function pageOf<R, T>(rows: R[], limit: number, key: (row: R) => SqlValue[], view: (row: R) => T): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(view), next_cursor: rows.length > limit && last ? encodeCursor(key(last)) : null };
}

/** A page of a built list, its newest rows first. One statement. @throws Problem 400 for a cursor of another list. */
export async function newestPage<R extends { created_at: string; id: string }, T>(
  db: Database,
  list: Knex.QueryBuilder,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  view: (row: R) => T,
): Promise<Page<T>> {
  for (const column of ['created_at', 'id']) list.orderBy(column, 'desc');
  if (cursor) list.whereRaw('(created_at, id) < (?, ?)', decodeCursor(cursor, 2));
  const rows = await db.all<R>(list.limit(limit + 1));
  return pageOf(rows, limit, (row) => [row.created_at, row.id], view);
}

/** Every page of a list, read when the one before it was taken: a file is sent while it is read, and never whole in memory. */
export async function* allPages<T>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
  limit = PAGE_OF_FILE,
): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const page: Page<T> = await read({ limit, cursor });
    yield page.items;
    cursor = page.next_cursor ?? undefined;
    await othersTurn();
  } while (cursor !== undefined);
}

export function encodeCursor(values: SqlValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** @throws Problem 400 when the cursor isn't one of a list ordered by `width` columns. */
export function decodeCursor(cursor: string, width: number): (string | number)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.length === width && values.every(isKey)) return values;
  } catch {
    // Falls through to the one refusal below.
  }
  throw foreignCursor();
}

export const foreignCursor = (): Problem =>
  new Problem('invalid_cursor', 'The cursor was not issued by this list; start again without it.');

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
