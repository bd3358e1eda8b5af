// Rows of an archive as this release has them, whatever release wrote it, or of one of schema 2 in plain JSON: they are loaded
// into a scratch database of the archive's schema, and our own migrations bring that forward. Tables of very many rows stay there
// for as long as the archive is open. It is removed whatever happens, and no secret is in it: those wait in memory for their rows.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgeIdentity } from '../../ground/age/age.ts';
import { ByteSource, type Bytes } from '../../ground/byte-source.ts';
import { Problem } from '../../ground/problems.ts';
import type { SqlValue, Transaction } from '../../ground/store/database.ts';
import { DATABASE_FILE, migrate, SCHEMA_VERSION } from '../../ground/store/open-store.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { unreadable } from './fault.ts';
import type { Manifest } from './manifest.ts';
import { ManyRows } from './many/many-rows.ts';
import { SHARED } from './many/statements.ts';
import type { Coming } from './now.ts';
import { isPlain } from './plain/document.ts';
import type { Unplaced } from './plain/translation.ts';
import { type Piece, readArchive } from './read.ts';
import { type ArchiveRow, type Json, rowsOf, type State } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { ScratchDatabase } from './scratch-database.ts';
import { ACCOUNTS_TABLE, FACTORS_TABLE, MANY_TABLES, PARTS, TABLES, type Table, tableNamed } from './tables.ts';

/** Whoever opened it closes it. */
export interface Forward extends Coming {
  manifest: Manifest;
  /** Only of tables that it carries, without those of `many`. Sealed rows have their `secret`. */
  state: State;
  /** Who may sign in where it was made; null: it carries none. */
  accounts: readonly ArchiveRow[] | null;
  /** Their second factors, with their `secret`. Empty: none, or an archive that carries none. */
  factors: readonly ArchiveRow[];
  /** What it has and this appliance has no place for. */
  unplaced: readonly Unplaced[];
  /** Removes what is on the disk of it. */
  close(): Promise<void>;
}

/** Stands in sealed columns while the secret itself waits. */
const WAITS = 'in the archive';

type Secrets = Map<string, Map<string, Json>>;

/** @throws Problem 409 for what can't be read or does not fit together; 422 for another passphrase or identity */
export async function bringForward(folder: string, bytes: Bytes, by: AgeIdentity | null): Promise<Forward> {
  const scratch = await makeScratch(folder);
  const file = join(scratch, DATABASE_FILE);
  let db: ScratchDatabase | undefined;
  try {
    const secrets: Secrets = new Map();
    const { pieces, unplaced } = await read(bytes, by);
    const manifest = await begin(file, pieces);
    db = await ScratchDatabase.open(file);
    await load(db, manifest, pieces, secrets);
    if (manifest.schema < SCHEMA_VERSION) {
      await db.disconnect();
      await migrate(file);
      await bare(file);
      db = await ScratchDatabase.open(file);
    }
    const carried = carriedBy(manifest);
    const state = await stateOf(db, carried, secrets);
    const accounts = carried.has(ACCOUNTS_TABLE.name) ? await rowsOf(db, ACCOUNTS_TABLE) : null;
    const sealed = carried.has(FACTORS_TABLE.name) ? await rowsOf(db, FACTORS_TABLE) : [];
    const factors = sealed.map((row) => withSecret(FACTORS_TABLE, row, secrets));
    const many = await manyOf(db, carried);
    const opened = db;
    const about = { manifest, unplaced: unplaced ?? [], partial: unplaced !== null };
    return { ...about, state, accounts, factors, many, close: () => opened.close() };
  } catch (error) {
    await db?.disconnect().catch(() => undefined);
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
}

/** `unplaced`: null for one of ours, in which everything has its place. */
async function read(
  bytes: Bytes,
  by: AgeIdentity | null,
): Promise<{ pieces: AsyncGenerator<Piece>; unplaced: Unplaced[] | null }> {
  if (by) return { pieces: readArchive(bytes, by), unplaced: null };
  const source = new ByteSource(bytes);
  const head = await source.some(HEAD);
  const whole = rest(head, source);
  if (!isPlain(head)) return { pieces: readArchive(whole, null), unplaced: null };
  const { translate } = await import('./plain/translate.ts');
  return translate(whole);
}

const HEAD = 64 << 10;

async function* rest(head: Buffer, source: ByteSource): AsyncGenerator<Buffer> {
  try {
    for (let piece = head; piece.length > 0; piece = await source.some(HEAD)) yield piece;
  } finally {
    await source.close();
  }
}

const FOLLOWING = `SELECT type, name FROM sqlite_schema WHERE type = 'trigger'
  OR (type = 'index' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%')`;

/** Nothing follows from rows there, and no index but those that hold a rule. */
async function bare(file: string): Promise<void> {
  const db = await ScratchDatabase.open(file);
  try {
    await db.write(async () => {
      const found = await db.all<{ type: string; name: string }>(FOLLOWING);
      for (const { type, name } of found) await db.run(`DROP ${type} ${name}`);
    });
  } finally {
    await db.disconnect();
  }
}

/** The manifest, once there is a database of its schema. */
async function begin(file: string, pieces: AsyncGenerator<Piece>): Promise<Manifest> {
  const { value: first } = await pieces.next();
  if (!first || !('manifest' in first)) throw unreadable('It has no manifest.');
  const { manifest } = first;
  if (manifest.schema > SCHEMA_VERSION) {
    const detail = `It was written by version ${manifest.program}, whose schema is ${manifest.schema}; this program knows up to ${SCHEMA_VERSION}. Update the appliance first.`;
    throw unreadable(detail);
  }
  await makeEmpty(file, manifest.schema);
  return manifest;
}

async function load(
  db: ScratchDatabase,
  manifest: Manifest,
  pieces: AsyncGenerator<Piece>,
  secrets: Secrets,
): Promise<void> {
  try {
    await db.write(async () => {
      const columns = new Map<string, Column[]>();
      // Migrations make rows as well: of tables that it carries there are those of the archive alone.
      for (const name of carriedBy(manifest)) {
        columns.set(name, await columnsOf(db, name, manifest.schema));
        await db.run(`DELETE FROM ${name}`);
      }
      for await (const piece of pieces) {
        if (!('table' in piece)) continue;
        await insert(db, piece.table, columns.get(piece.table)!, piece.rows, manifest, secrets);
      }
      if (manifest.schema < SCHEMA_VERSION) for (const name of columns.keys()) await inOrderOfTime(db, name);
      const [lost] = await db.all<{ table: string }>('PRAGMA foreign_key_check');
      if (lost)
        throw unreadable(`A row of ${tableNamed(lost.table)?.label ?? lost.table} names another that is not in it.`);
    });
  } catch (error) {
    throw misfit(error);
  }
}

/** Schema → the bytes of a database of it that has nothing of anybody. */
const EMPTY = new Map<number, Buffer>();

/** Made once: the migrations take longer than the rows of most archives, and one is read for each look at it. */
async function makeEmpty(file: string, schema: number): Promise<void> {
  const empty = EMPTY.get(schema);
  if (empty) return writeFile(file, empty, { mode: 0o600 });
  await migrate(file, schema);
  if (schema === SCHEMA_VERSION) await bare(file);
  EMPTY.set(schema, await readFile(file));
}

/** What SQLite or its rules say of a row that is not as rows of this schema are; our own refusals as they are. */
function misfit(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (error instanceof Problem && error.code !== 'already_exists') return error;
  if (error instanceof Problem || code.startsWith('SQLITE_')) return unreadable('Its rows do not fit together.');
  return error;
}

interface Column {
  name: string;
  /** 1: it needs a value. */
  notnull: number;
  dflt_value: string | null;
  type: string;
}

/** By schema and table: they are always the same. */
const COLUMNS = new Map<string, Column[]>();

async function columnsOf(tx: Transaction, table: string, schema: number): Promise<Column[]> {
  const place = `${schema} ${table}`;
  const known = COLUMNS.get(place);
  if (known) return known;
  const columns = tableNamed(table)
    ? await tx.all<Column>(`SELECT name, "notnull", dflt_value, type FROM pragma_table_info(?)`, [table])
    : [];
  if (columns.length === 0) throw unreadable('It has rows of a table that this program does not know.');
  COLUMNS.set(place, columns);
  return columns;
}

async function insert(
  tx: Transaction,
  name: string,
  columns: readonly Column[],
  rows: readonly ArchiveRow[],
  manifest: Manifest,
  secrets: Secrets,
): Promise<void> {
  const table = tableNamed(name)!;
  const known = new Set(columns.map((column) => column.name));
  const held = secrets.get(name) ?? new Map<string, Json>();
  secrets.set(name, held);
  const lines = rows.map((row): SqlValue[] => {
    const { id, secret, ...members } = row;
    if (secret !== undefined) held.set(id, secret);
    const values: ArchiveRow = { ...members, id, [table.id]: id };
    const unknown = Object.keys(members).find((member) => !known.has(member));
    if (unknown !== undefined)
      throw unreadable(`A row of ${table.label} has a member that this program does not know.`);
    return columns.map((column) => kept(values[column.name]) ?? missing(table, column, row, manifest));
  });
  const names = columns.map((column) => column.name).join(', ');
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ');
  await tx.run(`INSERT INTO ${name} (${names}) SELECT ${values} FROM json_each(?)`, [JSON.stringify(lines)]);
}

function kept(value: Json | undefined): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** What a column holds that is in no archive. */
function missing(
  table: Table,
  { name, notnull, dflt_value, type }: Column,
  row: ArchiveRow,
  manifest: Manifest,
): SqlValue {
  if (table.secret.includes(name))
    return row.secret === null || row.secret === undefined ? (notnull ? '' : null) : WAITS;
  if (name === 'updated_at') return typeof row.created_at === 'string' ? row.created_at : manifest.created_at;
  // What is not in the row at all, where a row needs it, is no row of this schema.
  if (!table.left.includes(name) && dflt_value === null) return null;
  if (dflt_value !== null) return dflt_value.startsWith("'") ? dflt_value.slice(1, -1) : Number(dflt_value);
  if (!notnull) return null;
  return type === 'INTEGER' ? 0 : '[]';
}

const carriedBy = ({ contents }: Pick<Manifest, 'contents'>): Set<string> =>
  new Set(contents.map(({ name }) => /\/(\w+)\./.exec(name)?.[1] ?? name));

/** Of rows that are made once the last is the newest, to migrations too; an archive has them by their ids. */
async function inOrderOfTime(tx: Transaction, name: string): Promise<void> {
  const { plain, columns } = tableNamed(name)!;
  if (!plain || !columns.includes('created_at')) return;
  await tx.run(`CREATE TEMP TABLE in_order AS SELECT * FROM ${name} ORDER BY created_at, id`);
  await tx.run(`DELETE FROM ${name}`);
  await tx.run(`INSERT INTO ${name} SELECT * FROM in_order`);
  await tx.run('DROP TABLE in_order');
}

async function stateOf(db: ScratchDatabase, carried: ReadonlySet<string>, secrets: Secrets): Promise<State> {
  const state = new Map<string, ArchiveRow[]>();
  for (const table of TABLES) {
    if (!carried.has(table.name) || table.many) continue;
    const rows = await rowsOf(db, table);
    state.set(table.name, table.secret.length === 0 ? rows : rows.map((row) => withSecret(table, row, secrets)));
  }
  return state;
}

async function manyOf(db: ScratchDatabase, carried: ReadonlySet<string>): Promise<ManyRows[]> {
  const tables = MANY_TABLES.filter(({ name }) => carried.has(name));
  if (tables.length > 0) for (const statement of SHARED) await db.run(statement);
  const many: ManyRows[] = [];
  for (const table of tables) {
    const part = PARTS.find(({ tables: own }) => own.includes(table))!;
    many.push(await ManyRows.open(db, table, part.id as UnitId));
  }
  return many;
}

function withSecret({ name, secret }: Table, row: ArchiveRow, secrets: Secrets): ArchiveRow {
  const open = Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)));
  return { ...open, id: row.id, secret: secrets.get(name)?.get(row.id) ?? null };
}
