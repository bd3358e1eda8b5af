// The watchdog of a confirm window: a program of its own, so that a plan goes back even when the service is dead or hangs.
// It ends with the window. Arguments: data folder, host driver, and at the start of a machine `boot`: then nothing of the
// window's plan runs yet, and only the files are put back before the services start with them.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostNamed } from '../../host/create-host.ts';
import { withHostLock } from './host-lock.ts';
import { isOpen, readWindow, timeLeft, uptime, type WindowRecord } from './record.ts';
import { revert } from './revert.ts';
import { WATCHING } from './start-watchdog.ts';

const POLL = 200;
/** After a fault, which may pass: a disk that is full, a lock that somebody holds. */
const AGAIN = 1_000;
const MOST_AT_BOOT = 10;

async function watch(data: string, hostName: string, booting: boolean): Promise<void> {
  const folder = join(data, 'apply');
  const host = await hostNamed(hostName, data);
  await readWindow(folder);
  tellStarter();
  for (let faults = 0; ; ) {
    try {
      const record = await readWindow(folder);
      if (!record || !isOpen(record)) return;
      // Somebody began to put it back: whoever holds the lock is at it, or died at it.
      const due = booting || record.state === 'reverting' || timeLeft(record) <= 0;
      if (due) await withHostLock(folder, () => endOverdue({ host, folder }, booting));
      else await pause(Math.min(POLL, Math.max(1, timeLeft(record))));
    } catch (error) {
      faults += 1;
      // A machine must not wait for ever to start.
      if (booting && faults === MOST_AT_BOOT) throw error;
      process.stderr.write(`groundcrew watchdog: ${(error as Error).message}\n`);
      await pause(AGAIN);
    }
  }
}

/** Under the lock nothing moves: only now is it certain that the deadline was not extended. */
async function endOverdue(way: Parameters<typeof revert>[0], booting: boolean): Promise<void> {
  const record = await readWindow(way.folder);
  if (!record || !isOpen(record)) return;
  if (booting) {
    await revert(way, record, { by: 'the start of the machine', cause: 'restart', how: 'files' });
  } else if (record.state === 'reverting' || timeLeft(record) <= 0) {
    await revert(way, record, { by: 'the watchdog', cause: causeOf(record) });
  }
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
