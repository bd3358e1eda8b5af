// Writes what brings a unit's rows from one state to another: a handful of statements for each table, however many rows.

import type { SqlValue, Transaction } from '../../ground/store/database.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { deleteInterfaces, saveInterfaces } from '../../platform/interfaces/interface-store.ts';
import { saveDocuments } from '../../platform/units/documents.ts';
import type { KeptRow } from './applied-rows.ts';
import {
  type DocumentDifference,
  type InterfaceDifference,
  revisionOf,
  type TableDifference,
} from './applied-rows-difference.ts';
import type { KeptTable } from './applied-rows-tables.ts';

export interface Writing {
  /** RFC 3339 */
  now: string;
  /**
   * Added to the revision that a row had when it was kept, where it comes back after it was deleted: it must not have
   * one again that it had in between.
   */
  past: number;
}

/** Frees what the unique keys of these rows hold, since another of them may get it. */
function park({ name, unique, meanwhile = {} }: KeptTable): string {
  const texts = unique.map((column) => `${column} = '~' || id`);
  const others = Object.entries(meanwhile).map(([column, value]) => `${column} = '${value}'`);
  return `UPDATE ${name} SET ${[...texts, ...others].join(', ')} WHERE id IN (SELECT value FROM json_each(?))`;
}

function upsert({ name, columns, plain = false, begins = {} }: KeptTable): string {
  const all = plain ? columns : [...columns, 'revision', 'created_at'];
  const values = ['id', ...all].map((_, at) => `value ->> ${at}`);
  const dated = plain ? [] : ['updated_at'];
  const first = Object.values(begins).map((text) => `'${text}'`);
  return `INSERT INTO ${name} (${['id', ...all, ...dated, ...Object.keys(begins)].join(', ')})
    SELECT ${[...values, ...dated.map(() => '?1'), ...first].join(', ')} FROM json_each(?2) WHERE ?1 <> ''
    ON CONFLICT (id) DO UPDATE SET ${[...all, ...dated].map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

const remove = ({ name }: KeptTable): string => `DELETE FROM ${name} WHERE id IN (SELECT value FROM json_each(?))`;

function counted(row: KeptRow, more: number): SqlValue[] {
  const revised = [...row];
  revised[row.length - 2] = revisionOf(row) + more;
  return revised;
}

/** Rows that one statement writes: SQLite has the text of all of them in memory, and parsed once more. */
const PAGE = 5000;

/** Rows that others refer to are there before those, and go after them. */
export async function writeTables(
  tx: Transaction,
  differences: readonly TableDifference[],
  { now, past }: Writing,
): Promise<void> {
  for (const { table, changed, removed } of differences) {
    const ids = [...changed.map(([id]) => id), ...removed];
    const holds = table.unique.length > 0 || Object.keys(table.meanwhile ?? {}).length > 0;
    if (ids.length > 0 && holds) await tx.run(park(table), [JSON.stringify(ids)]);
  }
  for (const { table, added, changed, stream } of differences) {
    const rows = table.plain
      ? [...added, ...changed]
      : [...added.map((row) => counted(row, 1 + past)), ...changed.map((row) => counted(row, 1))];
    for (let at = 0; at < rows.length; at += PAGE) {
      await tx.run(upsert(table), [now, JSON.stringify(rows.slice(at, at + PAGE))]);
    }
    for await (const page of stream?.coming(past) ?? []) await tx.run(upsert(table), [now, page]);
  }
  for (const { table, removed, stream } of differences.toReversed()) {
    for await (const page of stream?.going() ?? []) await tx.run(remove(table), [page]);
    if (removed.length > 0) await tx.run(remove(table), [JSON.stringify(removed)]);
  }
}

export const writeDocuments = (
  tx: Transaction,
  differences: readonly DocumentDifference[],
  { now }: Writing,
): Promise<void> => {
  const texts = differences.map(({ document, text }) => [document.key, text] as const);
  return saveDocuments(tx, texts, now);
};

/** VLANs that go make room first: one that comes may have the same number. */
export async function writeInterfaces(
  tx: Transaction,
  { saved, removed }: InterfaceDifference,
  standing: readonly NetworkInterface[],
  { now, past }: Writing,
): Promise<void> {
  await deleteInterfaces(tx, removed);
  const known = new Set(standing.map(({ id }) => id));
  const more = (id: string): number => (known.has(id) ? 1 : 1 + past);
  await saveInterfaces(
    tx,
    saved.map((row) => ({ ...row, revision: row.revision + more(row.id), updated_at: now })),
  );
}
