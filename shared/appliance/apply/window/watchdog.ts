// The watchdog of a confirm window: a program of its own, so that a plan goes back even when the service is dead or hangs.
// It ends with the window. Arguments: data folder, host driver, and at the start of a machine `boot`: then nothing of the
// window's plan runs yet, and only the files are put back before the services start with them.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostNamed } from '../../../platform/host/create-host.ts';
import { GUARD } from '../../host-guard.ts';
import { rebuilt } from './damaged.ts';
import { withHostLock } from './host-lock.ts';
import { isOpen, timeLeft, uptime, type WindowRecord } from './record.ts';
import { DamagedWindow, plansWithWindow, readWindow } from './record-file.ts';
import { revert } from './revert.ts';
import { WATCHING } from './start-watchdog.ts';

const POLL = 200;
/** After a fault, which may pass: a disk that is full, a lock that somebody holds. */
const AGAIN = 1_000;
const MOST_AT_BOOT = 10;

type Found = WindowRecord | 'damaged' | null;

const look = (folder: string): Promise<Found> =>
  readWindow(folder).catch((error) => (error instanceof DamagedWindow ? 'damaged' : Promise.reject(error)));

async function watch(data: string, hostName: string, booting: boolean): Promise<void> {
  const folder = join(data, 'apply');
  const host = await hostNamed(hostName, data, GUARD);
  // The record as it was last read: what it said still holds where it can't be read any more.
  let known: WindowRecord | null = null;
  await look(folder);
  tellStarter();
  for (let faults = 0; ; ) {
    try {
      const found = await look(folder);
      if (found !== 'damaged') {
        if (!found || !isOpen(found)) return;
        known = found;
      }
      if (found === 'damaged' && (await damagedPlan(folder, known)) === null) throw new DamagedWindow();
      if (booting || isDue(known)) await withHostLock(folder, () => endOverdue({ host, folder }, known, booting));
      else await pause(Math.min(POLL, Math.max(1, known ? timeLeft(known) : 0)));
    } catch (error) {
      faults += 1;
      // A machine must not wait for ever to start, nor for what does not pass: then the service decides.
      if (booting && (faults === MOST_AT_BOOT || error instanceof DamagedWindow)) throw error;
      process.stderr.write(`groundcrew watchdog: ${(error as Error).message}\n`);
      await pause(AGAIN);
    }
  }
}

/** Of a damaged record: nobody can confirm it, so it is over at the deadline that was known, or at once. */
function isDue(known: WindowRecord | null): boolean {
  // Somebody began to roll it back: whoever holds the lock is at it, or died at it.
  return known === null || known.state === 'reverting' || timeLeft(known) <= 0;
}

/** Under the lock nothing moves: only now is it certain that the deadline was not extended. */
async function endOverdue(
  way: Parameters<typeof revert>[0],
  known: WindowRecord | null,
  booting: boolean,
): Promise<void> {
  const found = await look(way.folder);
  const plan_id = found === 'damaged' ? await damagedPlan(way.folder, known) : null;
  const record = found === 'damaged' ? plan_id && rebuilt(way.folder, plan_id) : found;
  if (!record || !isOpen(record)) return;
  if (booting) {
    await revert(way, record, { by: 'the start of the machine', cause: 'restart', how: 'files' });
  } else if (record.state === 'reverting' || timeLeft(record) <= 0) {
    await revert(way, record, { by: 'the watchdog', cause: causeOf(known ?? record) });
  }
}

/** The plan of a record that can't be read; null where nothing tells it: then its job decides, which knows. */
async function damagedPlan(folder: string, known: WindowRecord | null): Promise<string | null> {
  return known?.plan_id ?? (await plansWithWindow(folder))[0] ?? null;
}

const causeOf = (record: WindowRecord) => (record.boot_id === uptime().boot_id ? 'timeout' : 'restart');

/** Whoever started it waits for this; a service manager or nobody may have started it as well. */
function tellStarter(): void {
  try {
    writeSync(1, WATCHING);
  } catch {
    // Nobody listens.
  }
}

const [data = '', hostName = '', mode] = process.argv.slice(2);
watch(data, hostName, mode === 'boot').catch((error: Error) => {
  process.stderr.write(`groundcrew watchdog: ${error.message}\n`);
  process.exit(1);
});
