// Saving interfaces: writes of single rows, and what a discovery found. Revisions are the caller's: a row is written as
// it is given.
import type { ObservedLink } from '../host/host.ts';
import { instant } from '../operation/clock.ts';
import type { Transaction } from '../store/database.ts';
import { mergeDiscovered, renameSteps } from './discovery.ts';
import { INTERFACE_COLUMNS, loadInterfaces, type NetworkInterface, rowFromInterface } from './interface.ts';

const UPSERT = `INSERT INTO interface (${INTERFACE_COLUMNS.join(', ')})
  VALUES (${INTERFACE_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (name) DO UPDATE SET ${INTERFACE_COLUMNS.slice(1)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** Inserts the row, or writes it over the one of the same name. */
export async function saveInterface(transaction: Transaction, row: NetworkInterface): Promise<void> {
  const fields = rowFromInterface(row);
  await transaction.run(
    UPSERT,
    INTERFACE_COLUMNS.map((column) => fields[column] ?? null),
  );
}

export async function deleteInterface(transaction: Transaction, name: string): Promise<void> {
  await transaction.run('DELETE FROM interface WHERE name = ?', [name]);
}

/** What a discovery changed, as it is audited. */
export interface RefreshedInterfaces {
  /** Rows written; 0 when the machine is as it was. */
  changed: number;
  added: string[];
  vanished: string[];
  renamed: string[];
}

/** Brings the saved interfaces up to date with the links observed on the host. */
export async function refreshInterfaces(
  transaction: Transaction,
  links: readonly ObservedLink[],
  now: Date,
): Promise<RefreshedInterfaces> {
  const before = await loadInterfaces(transaction);
  const { upserts, renames } = mergeDiscovered(before, links, instant(now));
  for (const { from, to } of renameSteps(renames)) {
    await transaction.run(RENAME, [to, to, from]);
  }
  for (const row of upserts) await saveInterface(transaction, row);
  const home = new Map(renames.map(({ from, to }) => [from, to]));
  const known = new Map(before.map((row) => [home.get(row.name) ?? row.name, row]));
  return {
    changed: upserts.length,
    added: upserts.filter((row) => !known.has(row.name)).map((row) => row.name),
    vanished: upserts.filter((row) => !row.present && known.get(row.name)?.present).map((row) => row.name),
    renamed: renames.map(({ from, to }) => `${from} to ${to}`),
  };
}

// The id of a physical interface is its name.
const RENAME = "UPDATE interface SET name = ?, id = CASE kind WHEN 'physical' THEN ? ELSE id END WHERE name = ?";
