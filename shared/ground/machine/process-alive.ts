// Whose files and locks may be swept: those of a process that is no more.
import { readFileSync } from 'node:fs';
import { systemUptime } from './uptime.ts';

/** Whether a process has this id now, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Names a process so that none is taken for it later, though ids come again: its id, when it started (ticks, proc(5)), and the
 * start of the machine. Null: there is no such process.
 */
export function processMark(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it, in brackets, may have blanks; this is the 22nd field of all.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${pid}-${started}-${systemUptime.boot.slice(0, 8)}`;
  } catch {
    return null;
  }
}
