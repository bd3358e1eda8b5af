// Statements that compare rows of which there may be very many. Beside a table `t` of the scratch database stand: `t_raw`, as
// the archive has it; `t_came`, the same with the ids of here; `t_now`, what is saved now; `t_differs` and `t_picked`, ids with
// how they differ; and `t` itself is what will be. Those over all rows take a window of them each.
import { objectOf } from '../rows.ts';
import type { Table } from '../tables.ts';

const listed = (columns: readonly string[], of = ''): string =>
  columns.map((column) => (of === '' ? column : `${of}.${column}`)).join(', ');

/** Of tables, ids that are others here, owners whose rows are taken over or not, and ids that will be there. */
export const SHARED = [
  'CREATE TABLE moved (tbl, was, here, PRIMARY KEY (tbl, was)) WITHOUT ROWID',
  'CREATE TABLE verdict (tbl, ref, says, PRIMARY KEY (tbl, ref)) WITHOUT ROWID',
  'CREATE TABLE there (tbl, id, PRIMARY KEY (tbl, id)) WITHOUT ROWID',
];

export const makeTables = ({ name, columns, key }: Table): string[] => [
  `ALTER TABLE ${name} RENAME TO ${name}_raw`,
  `CREATE TABLE ${name} AS SELECT * FROM ${name}_raw WHERE false`,
  `CREATE UNIQUE INDEX ${name}_then ON ${name}(id)`,
  `CREATE INDEX ${name}_then_key ON ${name}(${listed(key)})`,
  `CREATE TABLE ${name}_now (id PRIMARY KEY, ${listed(columns)}, created_at, revision)`,
  `CREATE INDEX ${name}_now_key ON ${name}_now(${listed(key)})`,
  `CREATE TABLE ${name}_came (id PRIMARY KEY, ${listed(columns)}, created_at)`,
  `CREATE TABLE ${name}_differs (id PRIMARY KEY, kind)`,
  `CREATE TABLE ${name}_picked (id PRIMARY KEY, kind)`,
];

/** A page of the rows of now, as one text. */
export const readNow = ({ name, columns }: Table, page: number): string =>
  `SELECT json_group_array(json(line)) AS rows, max(id) AS last, count(*) AS count FROM (
     SELECT json_array(id, ${listed(columns)}, created_at, revision) AS line, id
       FROM ${name} WHERE id > ? ORDER BY id LIMIT ${page})`;

export function keepNow({ name, columns }: Table): string {
  const all = ['id', ...columns, 'created_at', 'revision'];
  return `INSERT INTO ${name}_now SELECT ${all.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?)`;
}

const sameKey = ({ key }: Table, a: string, b: string): string =>
  key.map((column) => `${a}.${column} IS ${b}.${column}`).join(' AND ');

/** Ids of the archive that another row has here. */
export const clashing = (table: Table): string =>
  `SELECT raw.id FROM ${table.name}_raw raw JOIN ${table.name}_now other ON other.id = raw.id
     LEFT JOIN ${table.name}_now same ON ${sameKey(table, 'same', 'raw')} WHERE same.id IS NULL`;

/** The table that an owner's row is of. */
const ownerTable = ({ owners }: Table, source: string): string =>
  `CASE ${source} ${[...owners].map(([word, other]) => `WHEN '${word}' THEN '${other}'`).join(' ')} END`;

function mapped(table: Table, column: string): string {
  const refers = table.refers.get(column);
  const of = refers ? `'${refers}'` : null;
  const named = column === 'owner_ref' && table.owners.size > 0 ? ownerTable(table, 'raw.owner_source') : of;
  if (named === null) return `raw.${column}`;
  return `coalesce((SELECT here FROM moved WHERE tbl = ${named} AND was = raw.${column}), raw.${column})`;
}

export const bringHere = (table: Table): string =>
  `INSERT INTO ${table.name}_came
     SELECT coalesce(same.id, own.here, raw.id), ${table.columns.map((column) => mapped(table, column)).join(', ')},
       raw.created_at
     FROM ${table.name}_raw raw LEFT JOIN ${table.name}_now same ON ${sameKey(table, 'same', 'raw')}
       LEFT JOIN moved own ON own.tbl = '${table.name}' AND own.was = raw.id
     WHERE raw.rowid > ? AND raw.rowid <= ?`;

export const differing = ({ name, columns }: Table): string =>
  `INSERT INTO ${name}_differs SELECT came.id, iif(was.id IS NULL, 'added', 'changed')
     FROM ${name}_came came LEFT JOIN ${name}_now was ON was.id = came.id
     WHERE came.rowid > ? AND came.rowid <= ?
       AND (was.id IS NULL OR ${columns.map((column) => `was.${column} IS NOT came.${column}`).join(' OR ')})`;

export const removed = ({ name }: Table): string =>
  `INSERT INTO ${name}_differs SELECT was.id, 'removed' FROM ${name}_now was
     WHERE was.rowid > ? AND was.rowid <= ? AND NOT EXISTS (SELECT 1 FROM ${name}_came came WHERE came.id = was.id)`;

export const counting = ({ name }: Table, which: 'differs' | 'picked'): string =>
  `SELECT coalesce(sum(kind = 'added'), 0) AS added, coalesce(sum(kind = 'changed'), 0) AS changed,
     coalesce(sum(kind = 'removed'), 0) AS removed FROM ${name}_${which}`;

/** The first of them, as they are now and as they came. */
export function telling(table: Table, which: 'differs' | 'picked'): string {
  const as = (where: string) => `(SELECT ${objectOf(table)} FROM ${table.name}_${where} WHERE id = first.id)`;
  return `SELECT first.id, first.kind, ${as('now')} AS now, ${as('came')} AS wanted FROM (
    SELECT id, kind FROM ${table.name}_${which} ORDER BY kind = 'removed', id LIMIT ?) first`;
}

/** Parameters: how rows may differ, `all` or the ids that are chosen, both JSON; then the window. */
export function picking(table: Table): string {
  const { name, owners } = table;
  const direct =
    "(differs.kind IN (SELECT value FROM json_each(?1)) AND (?2 = 'all' OR differs.id IN (SELECT value FROM json_each(iif(?2 = 'all', '[]', ?2)))))";
  const window = 'differs.rowid > ?3 AND differs.rowid <= ?4';
  const pick = `INSERT INTO ${name}_picked SELECT differs.id, differs.kind FROM ${name}_differs differs`;
  if (owners.size === 0) return `${pick} WHERE ${window} AND ${direct}`;
  const says = (of: string) =>
    `(SELECT says FROM verdict JOIN ${name}_${of} row ON row.id = differs.id
       WHERE tbl = ${ownerTable(table, 'row.owner_source')} AND ref = row.owner_ref)`;
  const [now, came] = [says('now'), says('came')];
  return `${pick} WHERE ${window}
    AND iif(${now} IS NULL AND ${came} IS NULL, ${direct}, max(coalesce(${now}, 0), coalesce(${came}, 0)))`;
}

const thenColumns = ({ columns }: Table): string[] => ['id', ...columns, 'revision', 'created_at', 'updated_at'];

export const staying = (table: Table): string =>
  `INSERT INTO ${table.name} (${listed(thenColumns(table))})
     SELECT ${listed(['id', ...table.columns, 'revision', 'created_at'], 'was')}, '' FROM ${table.name}_now was
     WHERE was.rowid > ? AND was.rowid <= ? AND NOT EXISTS (SELECT 1 FROM ${table.name}_picked WHERE id = was.id)`;

export const coming = (table: Table): string =>
  `INSERT INTO ${table.name} (${listed(thenColumns(table))})
     SELECT ${listed(['id', ...table.columns], 'came')}, coalesce(was.revision, 0), coalesce(was.created_at, came.created_at), ''
     FROM ${table.name}_came came JOIN ${table.name}_picked picked ON picked.id = came.id
       LEFT JOIN ${table.name}_now was ON was.id = came.id
     WHERE came.rowid > ? AND came.rowid <= ?`;

/** Rows that name what will not be there. */
export const dangling = (table: Table, column: string): string =>
  `SELECT ${objectOf(table)} AS row FROM ${table.name} WHERE ${column} IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM there WHERE tbl = ? AND there.id = ${table.name}.${column}) ORDER BY id LIMIT ?`;

/** A page of what is written, as one text; ?1: after that id, ?2: added to the revision of rows that are not there now. */
export const toWrite = ({ name, columns }: Table, page: number): string =>
  `SELECT json_group_array(json(line)) AS rows, max(id) AS last, count(*) AS count FROM (
     SELECT json_array(will.id, ${listed(columns, 'will')},
         will.revision + iif(picked.kind = 'added', 1 + ?2, 1), will.created_at) AS line, will.id
       FROM ${name}_picked picked JOIN ${name} will ON will.id = picked.id
       WHERE picked.id > ?1 AND picked.kind <> 'removed' ORDER BY picked.id LIMIT ${page})`;

export const toRemove = ({ name }: Table, page: number): string =>
  `SELECT json_group_array(id) AS rows, max(id) AS last, count(*) AS count FROM (
     SELECT id FROM ${name}_picked WHERE id > ?1 AND kind = 'removed' ORDER BY id LIMIT ${page})`;
