// Rows as an archive has them: objects with `id`, the declared columns, `created_at`, and of sealed rows the open text of
// their secret. Booleans are booleans, and what a column keeps as JSON is the value itself.
import type { Database, SqlValue } from '../../ground/store/database.ts';
import { SETTINGS_TABLE, type Table } from './tables.ts';

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };

export interface ArchiveRow {
  id: string;
  [column: string]: Json;
}

/** Table → its rows, in the order of their ids. */
export type State = ReadonlyMap<string, readonly ArchiveRow[]>;

/** Rows that one statement reads. */
const PAGE = 2000;

const memberOf =
  ({ booleans, json, name }: Table) =>
  (column: string): string => {
    if (booleans.has(column)) return `json(iif(${column}, 'true', 'false'))`;
    // The addresses follow from the interfaces.
    if (name === SETTINGS_TABLE.name) return `json(json_remove(${column}, '$.listen_addresses'))`;
    return json.has(column) ? `json(${column})` : column;
  };

/** Members of a row as they lie in the table: what an archive has of it, and of sealed ones the sealed columns. */
export function objectOf(table: Table): string {
  const member = memberOf(table);
  const dated = table.dated ? ['created_at'] : [];
  const members = [...table.columns, ...dated, ...table.secret].map((column) => `'${column}', ${member(column)}`);
  return `json_object('id', CAST(${table.id} AS TEXT), ${members.join(', ')})`;
}

/** A table's rows by their ids, a page at a time. */
export async function* pagesOf(db: Database, table: Table): AsyncGenerator<ArchiveRow[]> {
  const read = `SELECT ${objectOf(table)} AS row FROM ${table.name} WHERE ${table.id} > ? ORDER BY ${table.id} LIMIT ${PAGE}`;
  let last: SqlValue = table.name === 'depot_identity' ? 0 : '';
  for (;;) {
    const found: { row: string }[] = await db.all<{ row: string }>(read, [last]);
    const rows = found.map(({ row }) => JSON.parse(row) as ArchiveRow);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.id;
  }
}

export async function rowsOf(db: Database, table: Table): Promise<ArchiveRow[]> {
  const rows: ArchiveRow[] = [];
  for await (const page of pagesOf(db, table)) rows.push(...page);
  return rows;
}

/** Null: there is none. */
export async function rowOf(db: Database, table: Table, id: string): Promise<ArchiveRow | null> {
  const read = `SELECT ${objectOf(table)} AS row FROM ${table.name} WHERE ${table.id} = ?`;
  const found = await db.one<{ row: string }>(read, [id]);
  return found ? (JSON.parse(found.row) as ArchiveRow) : null;
}

/** Whether any of the tables has a row. One statement. */
export async function anyRow(db: Database, tables: readonly Table[]): Promise<boolean> {
  const some = tables.map(({ name }) => `EXISTS (SELECT 1 FROM ${name})`);
  return (await db.one<{ some: number }>(`SELECT ${some.join(' OR ')} AS some`))!.some === 1;
}

/** The value as its column keeps it. */
export function stored({ booleans, json }: Table, column: string, value: Json | undefined): SqlValue {
  if (value === undefined || value === null) return json.has(column) ? JSON.stringify(value ?? null) : null;
  if (booleans.has(column)) return value === true ? 1 : 0;
  if (json.has(column) || typeof value === 'object') return JSON.stringify(value);
  return value as SqlValue;
}

/** Keys of rows by their ids, as far as keys of other rows are made of them. */
export type Keys = Map<string, ReadonlyMap<string, Json>>;

/** What a row is known by on any appliance. Rows that it refers to stand in it with their own keys. */
export const keyOf = ({ key, refers }: Table, row: ArchiveRow, keys: Keys): Json[] =>
  key.map((column) => {
    const table = refers.get(column);
    const value = row[column] ?? null;
    return table && value !== null ? (keys.get(table)?.get(String(value)) ?? null) : value;
  });

/** `lab.test / A / 192.0.2.10`, for people. */
export const titleOf = (table: Table, row: ArchiveRow, keys: Keys): string =>
  keyOf(table, row, keys)
    .flat(2)
    .filter((part) => part !== null && part !== '')
    .join(' ');

/** Of the rows that are there. One statement. */
export async function revisionsOf(db: Database, { name }: Table, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; revision: number }>(
    `SELECT id, revision FROM ${name} WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}
