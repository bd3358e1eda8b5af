// One at a time: the service, its watchdog and the start of the machine may all want to put the host back. The lock is the
// kernel's, held through a database file, so that it is gone with the process that held it.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const POLL = 20;
/** Longer than any one step of an apply takes: systemd gives a unit 90 seconds to start. */
const PATIENCE = 120_000;

/** @throws Error when another process holds the lock for longer than any step may take. */
export async function withHostLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'host-lock.db');
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Whoever may read it may lock it, and keep everything from going back.
    await chmod(file, 0o600);
    const began = performance.now();
    while (!taken(database)) {
      if (performance.now() - began > PATIENCE)
        throw new Error('another program has been changing the host for too long');
      await pause(POLL);
    }
    return await work();
  } finally {
    database.close();
  }
}

function taken(database: DatabaseSync): boolean {
  try {
    // The lock of a database that is empty would write a journal, which a full disk refuses.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (/locked|busy/i.test((error as Error).message)) return false;
    throw error;
  }
}
