// From a data folder to an open store: migrate, refuse what a newer program wrote, open the connections.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import type { Observe } from './connection.ts';
import { StartFault } from './start-fault.ts';
import { Store } from './store.ts';

export const DATABASE_FILE = 'groundcrew.sqlite';

export { StartFault };

/** The schema version that this program writes (PRAGMA user_version): how many migrations there are. */
export const SCHEMA_VERSION = 40;

interface OpenOptions {
  /** One that nothing was made in yet is refused. */
  begun?: boolean;
  clock?: Clock;
}

/**
 * Opens the database in `folder`, making the folder (mode 0700) and migrating when needed. Before a migration the database
 * is copied beside itself; without room for that copy, nothing is migrated.
 * @throws StartFault when the database was written by a newer program, is damaged, or can't be opened
 */
export async function openStore(folder: string, observe?: Observe, options: OpenOptions = {}): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, DATABASE_FILE);
  try {
    return await opened(file, observe, options);
  } catch (error) {
    throw databaseFault(error, file);
  }
}

async function opened(file: string, observe: Observe | undefined, options: OpenOptions): Promise<Store> {
  const probe = await Store.open(file);
  const [row] = await probe.all<{ user_version: number }>('PRAGMA user_version');
  const found = row?.user_version ?? 0;
  if (found > SCHEMA_VERSION) {
    await probe.close();
    throw new StartFault(
      `The database ${file} has schema ${found}; this program knows up to ${SCHEMA_VERSION}. Start the newer program, or ${await wayBack(file)}.`,
    );
  }
  if (found === 0 && options.begun === true) {
    await probe.close();
    throw new StartFault(
      `The database ${file} has nothing of this program in it. Put back a copy of the same time as the keys files beside it; or, to start over, move it and ${join(dirname(file), '*.keys')} away.`,
    );
  }
  if (found === SCHEMA_VERSION && !observe) return probe;
  await probe.close();
  if (found > 0 && found < SCHEMA_VERSION) {
    await (await import('./snapshots.ts')).takeSnapshot(file, 'before-migration', options.clock ?? systemClock);
  }
  if (found < SCHEMA_VERSION) await migrate(file);
  return Store.open(file, observe);
}

/** Of a program that a newer one's database is too new for: what leads back, as the end of a sentence. */
async function wayBack(file: string): Promise<string> {
  const snapshots = await (await import('./snapshots.ts')).listSnapshots(dirname(file));
  const best = snapshots.filter(({ schema }) => schema <= SCHEMA_VERSION).sort((a, b) => b.schema - a.schema)[0];
  if (!best) return 'put back a copy that was made by this one';
  return `go back to how it was at ${best.at}, without what was saved since: groundcrew data restore ${best.name}`;
}

/** SQLite's error for a file that it can't use, as one line for the operator; other errors unchanged. */
export function databaseFault(error: unknown, file: string): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') {
    return new StartFault(
      `The database ${file} is damaged, or no database (${code}). Put back a copy of it, with the keys files of the same time. Keep this file and those with the same name and another ending: sqlite3 .recover may still read much of it.`,
    );
  }
  if (['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_BUSY'].includes(code)) {
    return new StartFault(
      `The database ${file} can't be opened (${message}). The folder, this file and those with the same name and another ending must belong to the user of the service and be writable for it, and no other program may lock them.`,
    );
  }
  return error;
}

/** Runs the missing migrations. They and knex are loaded when there are any. */
export async function migrate(file: string, upTo = SCHEMA_VERSION): Promise<void> {
  await (await import('./migrate.ts')).migrate(file, upTo);
}
