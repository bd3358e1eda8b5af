// Removes the first password from the environment as soon as it was read, so that later code in this process, or a
// reader of /proc/<pid>/environ, finds none.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const NAME = 'GROUNDCREW_ADMIN_PASSWORD';
/**
 * Field of /proc/<pid>/stat with the address of the first environment, and the first that stands after the name.
 * proc(5).
 */
const ENV_START = 50;
const AFTER_NAME = 3;

/**
 * Takes the variable out of the environment, which is this process's own, and out of the memory that the kernel shows
 * as the environment where it lets us.
 */
export function forgetPassword(environment: Record<string, string | undefined>): void {
  if (environment[NAME] === undefined) return;
  delete environment[NAME];
  try {
    // What the process was started with stays there whatever becomes of its variables.
    const shown = readFileSync('/proc/self/environ');
    const at = `\0${shown.toString('latin1')}`.indexOf(`\0${NAME}=`);
    if (at < 0) return;
    const end = shown.indexOf(0, at);
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const memory = openSync('/proc/self/mem', 'r+');
    try {
      writeSync(
        memory,
        Buffer.alloc((end < 0 ? shown.length : end) - at),
        0,
        undefined,
        Number(fields[ENV_START - AFTER_NAME]) + at,
      );
    } finally {
      closeSync(memory);
    }
  } catch {
    // Not Linux, or a kernel that lets nobody: it also shows the environment to nobody but root then.
  }
}
