// Starts the watchdog of a confirm window as a process of its own, which outlives the service.
import { spawn } from 'node:child_process';
import { companion } from '../../../ground/machine/companion.ts';
import { ENVIRONMENT } from '../../../ground/machine/exec.ts';
import type { Host } from '../../../ground/machine/host.ts';

/** What the watchdog writes once it watches. */
export const WATCHING = 'watching\n';
/** Milliseconds in which it has to: a program starts in well under one second. */
const PATIENCE = 10_000;

/**
 * Its own session: what ends the service does not end it.
 * @throws Error when it does not watch; then nothing may be changed.
 */
export async function startWatchdogBeside(host: Host, data: string): Promise<void> {
  const child = spawn(process.execPath, [companion('watchdog', import.meta.url), data, host.name], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: '/',
    // The service's own may hold the first password, and could be read for as long as this runs.
    env: ENVIRONMENT,
  });
  const { stdout } = child;
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the watchdog did not start in time')), PATIENCE);
      stdout.once('data', () => {
        clearTimeout(timer);
        resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error('the watchdog ended at once')));
    });
  } finally {
    stdout.destroy();
    child.unref();
  }
}
