// Copies of the whole database beside it, one file each: made before a step that can't be taken back, so that there is a way
// back from it. They hold what the database holds, and values of vaults as sealed as there.
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { makeFolder, syncFolder } from '../machine/durable-file.ts';
import { isAlive } from '../machine/process-alive.ts';
import { type DriverConnection, driver } from './driver.ts';
import { StartFault } from './start-fault.ts';

/** Within the data folder. */
export const SNAPSHOTS_FOLDER = 'snapshots';
/** The newest of each occasion stay; an operator's own don't push out what a way back needs. */
export const SNAPSHOTS_KEPT = 5;

export type Occasion = 'before-migration' | 'before-restore' | 'before-reset' | 'on-request';

export interface Snapshot {
  name: string;
  path: string;
  /** What it can be opened by: a program that knows this schema. */
  schema: number;
  at: string;
  occasion: Occasion;
  /** Bytes. */
  size: number;
}

const NAME =
  /^schema-([1-9]\d{0,3})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(before-migration|before-restore|before-reset|on-request)\.sqlite$/;
/** What a process that was killed left of one, whose id is at the end. */
const HALF_MADE = /^schema-.*\.sqlite\.(\d+)\.tmp(?:-journal)?$/;

/** Newest first. Files of other names are nobody's business here. */
export async function listSnapshots(data: string): Promise<Snapshot[]> {
  const folder = join(data, SNAPSHOTS_FOLDER);
  const names = await readdir(folder).catch(unlessMissing<string[]>([]));
  const found = await Promise.all(names.map((name) => snapshotOf(folder, name)));
  return found.filter((each) => each !== null).sort((a, b) => (a.at < b.at ? 1 : -1));
}

async function snapshotOf(folder: string, name: string): Promise<Snapshot | null> {
  const [, schema, year, month, day, hour, minute, second, rest, occasion] = NAME.exec(name) ?? [];
  const path = join(folder, name);
  const facts = schema === undefined ? null : await stat(path).catch(unlessMissing(null));
  if (!facts?.isFile()) return null;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`;
  return { name, path, schema: Number(schema), at, occasion: occasion as Occasion, size: facts.size };
}

interface TakeOptions {
  /** The connection that keeps all others out of the database. */
  by?: DriverConnection;
  /** Tests: called after each step. */
  step?: (name: 'copied' | 'synced' | 'named') => void | Promise<void>;
}

/**
 * Copies the database, whoever works on it meanwhile. Whole or not there, also after a power cut.
 * @throws StartFault when there is no room for it
 */
export async function takeSnapshot(
  file: string,
  occasion: Occasion,
  clock: Clock,
  { by, step = () => undefined }: TakeOptions = {},
): Promise<Snapshot> {
  const folder = join(dirname(file), SNAPSHOTS_FOLDER);
  await makeFolder(folder, 0o700);
  await removeHalfMade(folder);
  const at = clock.now().toISOString();
  const database = by ?? (await (await driver()).open(file, 'apart'));
  try {
    const name = `schema-${await schemaOf(database)}-${at.replace(/[-:.]/g, '')}-${occasion}.sqlite`;
    await copy(database, folder, name, step);
    await step('named');
    await removeOldest(dirname(file), occasion);
    const path = join(folder, name);
    return { name, path, schema: Number(NAME.exec(name)?.[1]), at, occasion, size: (await stat(path)).size };
  } catch (error) {
    throw noRoom(error) ? new StartFault(`There is no room in ${folder} for a copy of the database ${file}.`) : error;
  } finally {
    if (!by) await database.close();
  }
}

async function copy(
  database: DriverConnection,
  folder: string,
  name: string,
  step: NonNullable<TakeOptions['step']>,
): Promise<void> {
  const temporary = join(folder, `${name}.${process.pid}.tmp`);
  try {
    // Made first: SQLite would make it as readable as the umask lets it.
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await database.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
      await step('copied');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await step('synced');
    await rename(temporary, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    for (const each of [temporary, `${temporary}-journal`]) await rm(each, { force: true });
    throw error;
  }
}

/** How many migrations an open database has had. */
export async function schemaOf(database: DriverConnection): Promise<number> {
  const asked = await database.prepare('PRAGMA user_version');
  try {
    return Number((await asked.all([]))[0]?.user_version ?? 0);
  } finally {
    asked.finalize();
  }
}

async function removeOldest(data: string, occasion: Occasion): Promise<void> {
  const same = (await listSnapshots(data)).filter((each) => each.occasion === occasion);
  for (const { path } of same.slice(SNAPSHOTS_KEPT)) await rm(path, { force: true });
}

async function removeHalfMade(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(HALF_MADE.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) await rm(join(folder, name), { force: true });
  }
}

/** Whether a file system or SQLite says that the disk is full. */
export const noRoom = (error: unknown): boolean =>
  ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '');

const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== 'ENOENT') throw error;
    return instead;
  };
