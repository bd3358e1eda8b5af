// Runs one program of a test run in a process group of its own, so that neither a time limit nor Ctrl-C leaves
// grandchildren (browsers, daemons, jest workers) behind.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './source-tree.ts';

/** Milliseconds between asking a group to end and ending it. */
const GRACE = 5_000;

export interface Outcome {
  /** Exit code; null when it was ended by a signal. */
  code: number | null;
  timedOut: boolean;
}

const stops = new Set<() => void>();

/** Ends what runs now, if anything does. */
export function stopChild(): void {
  for (const stop of stops) stop();
}

/**
 * Runs `node <args>` with the running Node. Both streams go to `output`, a file's descriptor, so that they keep their
 * order; by default to our stdout. `limit` is in milliseconds; `more` are variables of its own.
 */
export function runNode(
  args: readonly string[],
  limit: number,
  more: Readonly<Record<string, string>> = {},
  output = 1,
): Promise<Outcome> {
  return new Promise((resolve) => {
    // A tool started by hand still finds the locked Node and its neighbours first.
    const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`;
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: path, ...more },
      stdio: ['ignore', output, output],
      detached: true,
    });
    let timedOut = false;
    const signal = (name: NodeJS.Signals): void => {
      try {
        process.kill(-(child.pid ?? Number.NaN), name);
      } catch {
        // The group has ended by itself.
      }
    };
    let force: NodeJS.Timeout | undefined;
    const stop = (): void => {
      signal('SIGTERM');
      force ??= setTimeout(() => signal('SIGKILL'), GRACE);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, limit);
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      clearTimeout(force);
      stops.delete(stop);
      resolve({ code, timedOut });
    };
    stops.add(stop);
    child.on('error', (error) => {
      console.log(String(error));
      finish(null);
    });
    child.on('exit', (code) => finish(code));
  });
}
