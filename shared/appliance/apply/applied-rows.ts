// The desired rows that an applied plan put in force, kept so that they can be brought back: one compressed file for each
// unit, named by the digest of what is in it, as a baseline is; the plan names its files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { sha256 } from '../../platform/applied/baseline.ts';
import { interfacesFrom, interfacesJson, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { NO_SERVER } from '../../platform/interfaces/refresh/snapshot.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { documentsOf } from '../../platform/units/documents.ts';
import { KEPT, type KeptTable, keptUnits } from './applied-rows-tables.ts';

/** Id, the columns of the table, revision, created_at. */
export type KeptRow = readonly SqlValue[];

export interface UnitRows {
  unit: UnitId;
  /** By table, so that a later release knows what it reads. */
  tables: Record<string, { columns: readonly string[]; rows: KeptRow[] }>;
  /** By key; null: nothing was saved and the defaults held. */
  documents: Record<string, string | null>;
  /** Absent in what was kept before schema 15, when an empty list of servers gave none. */
  follows?: true;
  /** All there were: what the unit is made of, or what its addresses were those of. */
  interfaces: NetworkInterface[];
}

/** Unit → digest. */
export type NamedRows = Partial<Record<UnitId, string>>;

/** Applied plans whose rows are kept; of older ones only the history stays. Enforced by the task that prunes files. */
export const PLANS_KEPT = 50;

const SUFFIX = '.gz';
const [zip, unzip] = [promisify(gzip), promisify(gunzip)];
const folderIn = (data: string): string => join(data, 'apply', 'rows');

const columnsIn = ({ columns }: KeptTable): string => ['id', ...columns, 'revision', 'created_at'].join(', ');

interface RowTexts {
  /** By table: JSON of its rows. */
  tables: Record<string, { columns: readonly string[]; rows: string }>;
  documents: Record<string, string | null>;
  interfaces: NetworkInterface[];
}

/** Rows as SQLite writes them: of ten thousand, each parsing takes longer than reading. */
async function readTexts(db: Database, unit: UnitId): Promise<RowTexts | null> {
  const kept = KEPT[unit];
  if (!kept) return null;
  const lists = kept.tables.map(
    (table) => `(SELECT json_group_array(json_array(${columnsIn(table)}))
      FROM (SELECT * FROM ${table.name} ORDER BY id)) AS ${table.name}`,
  );
  const keys = kept.documents.map(({ key }) => key);
  const row = (await db.one<Record<string, string>>(
    `SELECT ${[...lists, `${documentsOf('?')} AS documents`, `${interfacesJson('id')} AS interfaces`].join(', ')}`,
    [JSON.stringify(keys)],
  ))!;
  const saved = JSON.parse(row.documents!) as Record<string, string>;
  return {
    tables: Object.fromEntries(kept.tables.map(({ name, columns }) => [name, { columns, rows: row[name]! }])),
    documents: Object.fromEntries(keys.map((key) => [key, saved[key] ?? null])),
    interfaces: interfacesFrom(row.interfaces!),
  };
}

/** The unit's rows as they are saved now; null for a unit of which nothing is kept. One statement. */
export async function readUnitRows(db: Database, unit: UnitId): Promise<UnitRows | null> {
  const read = await readTexts(db, unit);
  if (read === null) return null;
  const tables = Object.entries(read.tables).map(([name, { columns, rows }]) => {
    return [name, { columns, rows: JSON.parse(rows) as KeptRow[] }] as const;
  });
  return { unit, follows: true, ...read, tables: Object.fromEntries(tables) };
}

/** What `JSON.stringify` makes of them. */
function textOf(unit: UnitId, { tables, documents, interfaces }: RowTexts): string {
  const lists = Object.entries(tables).map(
    ([name, { columns, rows }]) => `${JSON.stringify(name)}:{"columns":${JSON.stringify(columns)},"rows":${rows}}`,
  );
  const rest = JSON.stringify({ documents, interfaces }).slice(1);
  return `{"unit":${JSON.stringify(unit)},"follows":true,"tables":{${lists.join(',')}},${rest}`;
}

/** Writes the rows of these units as they are saved now, durably; answers the names of the files. */
export async function keepAppliedRows(
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  units: readonly UnitId[],
): Promise<NamedRows> {
  const named: NamedRows = {};
  for (const unit of keptUnits(units)) {
    const read = await readTexts(store, unit);
    if (read === null) continue;
    const text = textOf(unit, read);
    const digest = sha256(text);
    await replaceFile(join(folderIn(settings.data), digest + SUFFIX), await zip(text, { level: 1 }), 0o600);
    named[unit] = digest;
  }
  return named;
}

const NAME = "UPDATE plan SET applied_rows = json_patch(coalesce(applied_rows, '{}'), ?) WHERE id = ?";

/** The plan names the files of units that were just recorded as applied. */
export async function nameAppliedRows(transaction: Transaction, plan_id: string, named: NamedRows): Promise<void> {
  if (Object.keys(named).length > 0) await transaction.run(NAME, [JSON.stringify(named), plan_id]);
}

/** @throws Error when the file is missing or does not match its name. */
export async function loadUnitRows(data: string, digest: string): Promise<UnitRows> {
  const text = String(await unzip(await readFile(join(folderIn(data), digest + SUFFIX))));
  if (sha256(text) !== digest) throw new Error(`The rows ${digest.slice(0, 12)} are damaged.`);
  const rows = JSON.parse(text) as UnitRows;
  return rows.follows ? rows : withoutFollowing(rows);
}

const LISTS = ['dns_servers', 'ntp_servers'];
const noneFor = (list: unknown): string[] => (Array.isArray(list) && list.length > 0 ? list : [NO_SERVER]);

/** Rows of a release in which an empty list of servers gave none. */
function withoutFollowing({ tables, documents, ...rest }: UnitRows): UnitRows {
  const { dhcp_scope: scopes } = tables;
  const legacy = documents['dhcp-legacy-binding'];
  const binding = legacy ? (JSON.parse(legacy) as Record<string, unknown>) : null;
  const said = (value: SqlValue, at: number) =>
    // The id stands before the columns.
    LISTS.includes(scopes!.columns[at - 1] ?? '') ? JSON.stringify(noneFor(JSON.parse(String(value)))) : value;
  return {
    ...rest,
    tables: scopes ? { ...tables, dhcp_scope: { ...scopes, rows: scopes.rows.map((row) => row.map(said)) } } : tables,
    documents: binding
      ? {
          ...documents,
          'dhcp-legacy-binding': JSON.stringify({
            ...binding,
            ...Object.fromEntries(LISTS.map((list) => [list, noneFor(binding[list])])),
          }),
        }
      : documents,
  };
}

const FORGET = `UPDATE plan SET applied_rows = NULL
  WHERE applied_rows IS NOT NULL AND finished_at IS NOT NULL AND id NOT IN (
    SELECT id FROM plan WHERE state = 'applied' AND applied_rows IS NOT NULL
    ORDER BY finished_at DESC, id DESC LIMIT ${PLANS_KEPT})`;
const FORGETTABLE = FORGET.replace('UPDATE plan SET applied_rows = NULL', 'SELECT 1 FROM plan');

/** Lets go of the rows of plans beyond the kept ones. Answers the names of the files that are still needed. */
export async function forgetOldRows({ store }: Pick<Services, 'store'>): Promise<Set<string>> {
  if (await store.one(FORGETTABLE)) await store.write((tx) => tx.run(FORGET));
  const rows = await store.all<{ digest: string }>(
    'SELECT DISTINCT value AS digest FROM plan, json_each(applied_rows) WHERE applied_rows IS NOT NULL',
  );
  return new Set(rows.map(({ digest }) => digest + SUFFIX));
}
