// Saving interfaces: single rows, and what a discovery found. Revisions are the caller's: a row is written as it is given.

import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import type { SqlValue, Transaction } from '../../ground/store/database.ts';
import { mergeDiscovered, renameSteps } from '../../platform/interfaces/discovery.ts';
import {
  INTERFACE_COLUMNS,
  loadInterfaces,
  type NetworkInterface,
  rowFromInterface,
} from '../../platform/interfaces/interface.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import { followDiscovery } from './dependents.ts';

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

export async function deleteInterface(transaction: Transaction, name: string): Promise<void> {
  await transaction.run('DELETE FROM interface WHERE name = ?', [name]);
}

/** What a discovery changed, as it is audited. */
export interface RefreshedInterfaces {
  /** Units whose settings followed: to the new name of a link, or to an address that the network gave. */
  refreshed_units: UnitId[];
  /** Rows written; 0 when the machine is as it was. */
  changed: number;
  added: string[];
  vanished: string[];
  renamed: string[];
}

/** Brings the saved interfaces up to date with the links observed on the host. */
export async function refreshInterfaces(
  transaction: Transaction,
  shell: { clock: Clock; entropy: Entropy },
  links: readonly ObservedLink[],
): Promise<RefreshedInterfaces> {
  const before = await loadInterfaces(transaction);
  const { upserts, renames } = mergeDiscovered(before, links, instant(shell.clock.now()));
  let rules = 0;
  for (const { from, to } of renameSteps(renames)) {
    await transaction.run(RENAME, [to, to, from]);
    rules += await transaction.run(RENAME_IN_RULES, [to, Number(!to.startsWith('~')), from]);
  }
  await saveInterfaces(transaction, upserts);
  const home = new Map(renames.map(({ from, to }) => [from, to]));
  const known = new Map(before.map((row) => [home.get(row.name) ?? row.name, row]));
  const followed = upserts.length > 0 ? await followDiscovery(transaction, shell, before, home) : [];
  const refreshed_units = UNIT_IDS.filter((unit) => followed.includes(unit) || (unit === 'firewall' && rules > 0));
  return {
    refreshed_units,
    changed: upserts.length,
    added: upserts.filter((row) => !known.has(row.name)).map((row) => row.name),
    vanished: upserts.filter((row) => !row.present && known.get(row.name)?.present).map((row) => row.name),
    renamed: renames.map(({ from, to }) => `${from} to ${to}`),
  };
}

// A rule of the firewall names its interface and has no other state to follow with.
const RENAME_IN_RULES = 'UPDATE firewall_rule SET interface = ?, revision = revision + ? WHERE interface = ?';
// The id of a physical interface is its name.
const RENAME = "UPDATE interface SET name = ?, id = CASE kind WHEN 'physical' THEN ? ELSE id END WHERE name = ?";

/** What an edit may change comes last; the rest of a row is identity or observation. */
const EDITED = INTERFACE_COLUMNS.slice(INTERFACE_COLUMNS.indexOf('role'));

const UPDATE = `UPDATE interface SET ${EDITED.map((column) => `${column} = ?`).join(', ')} WHERE name = ?`;

/** Writes the edited columns of an existing row: cheaper than saveInterfaces, which also writes its keys. */
export async function updateInterface(transaction: Transaction, row: NetworkInterface): Promise<void> {
  const fields = rowFromInterface(row);
  await transaction.run(UPDATE, [...EDITED.map((column) => fields[column] ?? null), row.name]);
}
