// Writing interfaces: the caller sets revisions; a row is written as given.
import type { SqlValue, Transaction } from '../../ground/store/database.ts';
import { INTERFACE_COLUMNS, type NetworkInterface, rowFromInterface } from './interface.ts';

const VALUES = `(${INTERFACE_COLUMNS.map(() => '?').join(', ')})`;
// Not by knex, which writes rows as a SELECT of each: SQLite takes 500 of them, and plans them one by one.
const upsert = (rows: number): string => `INSERT INTO interface (${INTERFACE_COLUMNS.join(', ')})
  VALUES ${Array<string>(rows).fill(VALUES).join(', ')}
  ON CONFLICT (name) DO UPDATE SET ${INTERFACE_COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;
/** Rows of one statement: 23 columns each, well below SQLite's 32766 parameters. */
const ROWS_AT_ONCE = 500;

/** Inserts the rows, or writes each over the one of the same name. */
export async function saveInterfaces(transaction: Transaction, rows: readonly NetworkInterface[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    await transaction.run(upsert(some.length), some.flatMap(valuesOf));
  }
}

function valuesOf(row: NetworkInterface): SqlValue[] {
  const fields = rowFromInterface(row);
  return INTERFACE_COLUMNS.map((column) => fields[column] ?? null);
}

export async function deleteInterfaces(transaction: Transaction, rows: readonly NetworkInterface[]): Promise<void> {
  const names = JSON.stringify(rows.map(({ name }) => name));
  if (rows.length > 0)
    await transaction.run('DELETE FROM interface WHERE name IN (SELECT value FROM json_each(?))', [names]);
}

// The id of a physical interface is its name.
const RENAME = "UPDATE interface SET name = ?, id = CASE kind WHEN 'physical' THEN ? ELSE id END WHERE name = ?";

export async function renameInterface(transaction: Transaction, from: string, to: string): Promise<void> {
  await transaction.run(RENAME, [to, to, from]);
}

/** What an edit may change comes last; the rest of a row is identity or observation. */
const EDITED = INTERFACE_COLUMNS.slice(INTERFACE_COLUMNS.indexOf('role'));

const UPDATE = `UPDATE interface SET ${EDITED.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`;

/** Writes the edited columns of an existing row: cheaper than saveInterfaces, which also writes its keys. */
export async function updateInterface(transaction: Transaction, row: NetworkInterface): Promise<void> {
  const fields = rowFromInterface(row);
  await transaction.run(UPDATE, [...EDITED.map((column) => fields[column] ?? null), row.name]);
}

/** A statement: interfaces at which the management UI is meant to answer. */
export const MANAGED = `SELECT 1 FROM interface WHERE enabled = 1 AND present = 1 AND mode = 'access'
  AND (role = 'management' OR (role = 'access' AND access_management_ui_enabled = 1))
  AND (ipv4_method = 'dhcp' OR ipv4_cidr <> '' OR ipv6_enabled = 1)`;

/** How the audit log names an interface by id. */
export const NAMED_INTERFACES = { table: 'interface', column: 'name' } as const;

/** SQL: a text that changes with every save of an interface. */
export const INTERFACES_MARK =
  "(SELECT count(*) || ' ' || total(revision) || ' ' || coalesce(max(updated_at), '') FROM interface)";
