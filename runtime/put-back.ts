// Puts a snapshot in the database's place, while no service runs. Whatever ends it meanwhile, the folder has the database of
// before, or the snapshot with an audit event that says so.
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Entropy } from '../shared/ground/clock.ts';
import { syncFolder } from '../shared/ground/machine/durable-file.ts';
import { KEYRING_FILE, openKeyring } from '../shared/ground/sealing/keyring.ts';
import { openKeys } from '../shared/ground/sealing/keys.ts';
import type { Database, SqlValue } from '../shared/ground/store/database.ts';
import { type DriverConnection, driver } from '../shared/ground/store/driver.ts';
import { DATABASE_FILE, SCHEMA_VERSION, StartFault } from '../shared/ground/store/open-store.ts';
import { listSnapshots, noRoom, type Snapshot, schemaOf, takeSnapshot } from '../shared/ground/store/snapshots.ts';
import { Store } from '../shared/ground/store/store.ts';
import { findLock } from '../shared/kernel/access/mutation-lock.ts';
import { type AuditContext, appendAudit } from '../shared/kernel/audit/audit.ts';
import { keysUsed } from '../shared/platform/vaults/sealed-tables.ts';
import { idsHeld } from '../shared/services/kms/keys/held.ts';
import { type Remembered, remember, remembered } from '../shared/services/kms/keys/remembered.ts';

/** What becomes the database. */
const INCOMING = `${DATABASE_FILE}.incoming`;
const LOGS = ['-wal', '-shm', '-journal'];

export interface PutBack {
  data: string;
  /** Of the snapshot. */
  name: string;
  /** Also when values of vaults can't be read any more afterwards, or keys of key management are gone. */
  lose_values: boolean;
  clock: Clock;
  entropy: Entropy;
  context: AuditContext;
  /** Tests: called after each step. */
  step?: (name: 'checked' | 'alone' | 'kept' | 'copied' | 'recorded' | 'named') => void | Promise<void>;
}

/**
 * The audit log goes back with the rest: it holds what it held then, and this event. What was added since is in the snapshot
 * that is made of the present database; null when that one is missing or can't be read.
 * @throws StartFault for a snapshot that isn't there, is damaged or too new, and while a service runs
 */
export async function putBack(options: PutBack): Promise<{ put_back: Snapshot; kept: Snapshot | null }> {
  const { data, clock, step = () => undefined } = options;
  const file = join(data, DATABASE_FILE);
  const snapshot = await findSnapshot(options);
  await requireWhole(snapshot);
  await step('checked');
  const present = await takeAlone(file);
  try {
    await step('alone');
    if (present) await refuseWhileApplying(present, snapshot);
    if (present && !options.lose_values) await refuseToLoseKeys(present, snapshot);
    const kept = present && (await takeSnapshot(file, 'before-restore', clock, { by: present }));
    await step('kept');
    await prepare(snapshot, kept, present && (await remembered(asDatabase(present))), options);
    await step('recorded');
    if (!present) await moveAside(file, clock);
    await rename(join(data, INCOMING), file);
    await syncFolder(data);
    await step('named');
    return { put_back: snapshot, kept };
  } finally {
    await present?.close();
  }
}

const isFull = (error: unknown): boolean => noRoom(error) || (error as { code?: string }).code === 'storage_full';
const fullDisk = (data: string): StartFault =>
  new StartFault(`There is no room in ${data} to put the snapshot back; nothing was changed.`);

async function findSnapshot({ data, name }: PutBack): Promise<Snapshot> {
  const snapshots = await listSnapshots(data);
  const found = snapshots.find((each) => each.name === name);
  if (found) return found;
  const there = snapshots.map((each) => `\n  ${each.name}`).join('');
  throw new StartFault(
    `There is no snapshot ${name}. ${there === '' ? 'There is none at all.' : `There are:${there}`}`,
  );
}

async function requireWhole({ path, name, schema }: Snapshot): Promise<void> {
  if (schema > SCHEMA_VERSION) {
    throw new StartFault(`The snapshot ${name} has schema ${schema}; this program knows up to ${SCHEMA_VERSION}.`);
  }
  if (!(await isWhole(path, schema))) throw new StartFault(`The snapshot ${name} is damaged; nothing was changed.`);
}

async function isWhole(path: string, schema: number): Promise<boolean> {
  const database = await (await driver()).open(path);
  try {
    const [row, ...more] = await ask(database, 'PRAGMA integrity_check');
    return row?.integrity_check === 'ok' && more.length === 0 && (await schemaOf(database)) === schema;
  } catch {
    return false; // what SQLite can't read at all
  } finally {
    await database.close();
  }
}

async function ask(database: DriverConnection, sql: string, parameters: readonly SqlValue[] = []) {
  const asked = await database.prepare(sql);
  try {
    return await asked.all(parameters);
  } finally {
    asked.finalize();
  }
}

const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/**
 * The present database, which nobody else can open until the connection is closed, and which has no log beside it any more.
 * Null when there is none, or none that can be read.
 * @throws StartFault while somebody else has it open
 */
async function takeAlone(file: string): Promise<DriverConnection | null> {
  const there = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  await there?.close();
  if (!there) return null;
  const database = await (await driver()).open(file);
  try {
    await database.exec('PRAGMA locking_mode = EXCLUSIVE');
    // Out of the mode with a log comes only who is the only one.
    const [mode] = await ask(database, 'PRAGMA journal_mode = DELETE');
    if (mode?.journal_mode !== 'delete') throw Object.assign(new Error('in use'), { code: 'SQLITE_BUSY' });
    await database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    await database.close();
    const { code = '' } = error as { code?: string };
    if (DAMAGED.has(code)) return null;
    if (isFull(error)) throw fullDisk(dirname(file));
    if (code !== 'SQLITE_BUSY') throw error;
    throw new StartFault(`The database ${file} is in use: stop the service first (systemctl stop groundcrew).`);
  }
}

/** @throws StartFault when it would be forgotten that something changes the host: nobody would end it or put it back */
async function refuseWhileApplying(present: DriverConnection, { path }: Snapshot): Promise<void> {
  const lock = await findLock(asDatabase(present));
  if (!lock) return;
  const database = await (await driver()).open(path);
  const then = await findLock(asDatabase(database)).finally(() => database.close());
  // A copy that was made meanwhile knows of it, too.
  if (then?.job_id === lock.job_id) return;
  throw new StartFault(
    `The job ${lock.job_id} owns all changes since ${lock.since}: start the service, wait until it has ended, and stop it again.`,
  );
}

/** @throws StartFault when keys of clients were made since: what is encrypted with them would be lost */
async function refuseToLoseKeys(present: DriverConnection, { path, name }: Snapshot): Promise<void> {
  const now = await idsHeld(asDatabase(present));
  if (now.length === 0) return;
  const database = await (await driver()).open(path);
  const then = new Set(await idsHeld(asDatabase(database)).finally(() => database.close()));
  const lost = now.filter((id) => !then.has(id));
  if (lost.length === 0) return;
  const some = lost.slice(0, 5).join(', ');
  throw new StartFault(
    `${lost.length === 1 ? 'One key' : `${lost.length} keys`} of key management came after the snapshot ${name}: ${some}${lost.length > 5 ? ', …' : ''}. What is encrypted with them would be lost. Make an encrypted archive and restore it afterwards, or add --lose-values; nothing was changed.`,
  );
}

function asDatabase(connection: DriverConnection): Database {
  const all = async <R>(sql: unknown, parameters: readonly SqlValue[] = []): Promise<R[]> =>
    (await ask(connection, String(sql), parameters)) as R[];
  return { all, one: async <R>(sql: unknown, parameters?: readonly SqlValue[]) => (await all<R>(sql, parameters))[0] };
}

/** The snapshot with an event of its own, and what key management remembers of what is gone, ready to be renamed. */
async function prepare(
  snapshot: Snapshot,
  kept: Snapshot | null,
  known: Remembered | null,
  options: PutBack,
): Promise<void> {
  const { data, entropy, context, step = () => undefined } = options;
  const incoming = join(data, INCOMING);
  for (const name of await readdir(data)) if (name.startsWith(INCOMING)) await rm(join(data, name));
  try {
    await copyFile(snapshot.path, incoming);
    await step('copied');
    const store = await Store.open(incoming);
    try {
      if (!options.lose_values) await requireKeys(store, snapshot, options);
      const keys = await openKeys(data, entropy, true);
      const detail = { at: snapshot.at, schema: snapshot.schema, kept: kept?.name ?? null };
      const event = { action: 'data.restore', resource_type: 'snapshot', resource_id: snapshot.name, detail };
      await store.write(async (tx) => {
        if (known) await remember(tx, known);
        await appendAudit(tx, keys, context, event, { holdsLock: true });
      });
    } finally {
      await store.close();
    }
    const handle = await open(incoming, 'r+');
    await handle.chmod(0o600);
    await handle.sync();
    await handle.close();
  } catch (error) {
    for (const ending of ['', ...LOGS]) await rm(incoming + ending, { force: true });
    throw isFull(error) ? fullDisk(data) : error;
  }
}

/** @throws StartFault when a key was replaced since: nothing else opens what was sealed under it */
async function requireKeys(store: Store, { name }: Snapshot, { data, entropy }: PutBack): Promise<void> {
  const used = await keysUsed(store);
  if (used.length === 0) return;
  const ids = await openKeyring(data, entropy, true).then((keyring) => keyring.ids());
  if (used.every((id) => ids.includes(id))) return;
  throw new StartFault(
    `Values in the snapshot ${name} are sealed under a key that ${join(data, KEYRING_FILE)} doesn't have any more. Put back the keys file of that time, or add --lose-values; nothing was changed.`,
  );
}

/** What can't be read may still be worth something to who can repair it. */
async function moveAside(file: string, clock: Clock): Promise<void> {
  const at = clock.now().toISOString().replace(/[-:.]/g, '');
  for (const ending of ['', ...LOGS]) {
    await rename(file + ending, `${file}.damaged-${at}${ending}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
