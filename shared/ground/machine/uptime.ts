// The uptime clock, which nobody can set, for limits and waits: milliseconds since the machine started, and the id of
// that start. It goes on while the service restarts, and begins again when the machine does.
import { readFileSync } from 'node:fs';

export interface Uptime {
  boot: string;
  /** Whole ones. */
  milliseconds(): number;
}

let boot: string | undefined;

/** Without a boot id (not Linux) each process counts as a start. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `process ${process.pid}`;
  }
}

export const systemUptime: Uptime = {
  get boot() {
    boot ??= bootId();
    return boot;
  },
  // CLOCK_MONOTONIC, which counts from the start of the machine and not of the process.
  milliseconds: () => Number(process.hrtime.bigint() / 1_000_000n),
};

/** Answers whether so many milliseconds are over since this call, however the wall clock is set meanwhile. */
export function deadlineIn({ uptime = systemUptime }: { uptime?: Uptime }, milliseconds: number): () => boolean {
  const end = uptime.milliseconds() + milliseconds;
  return () => uptime.milliseconds() >= end;
}
