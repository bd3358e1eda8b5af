// Who runs a job, and whether they still live. A lease names the process so exactly (host, pid, its start time) that a
// restart on the same host sees at once that the former owner is dead, instead of waiting for the lease to run out.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Seconds that a lease holds without a heartbeat. */
export const LEASE_SECONDS = 15;
export const HEARTBEAT_SECONDS = 5;

/**
 * Times that a job is taken over from a dead process without finishing a new task in between. Then it fails: the job itself
 * may be what kills the process. A job that waits for a person can't be.
 */
export const RESUMES_MOST = 3;

export function leaseOwner(): string {
  return `${hostname()}/${process.pid}/${startTime(process.pid)}`;
}

/** True when the owner is a process of this host that no longer runs. False when it can't be known. */
export function ownerIsDead(owner: string): boolean {
  const [host, pid, started] = owner.split('/');
  return host === hostname() && startTime(Number(pid)) !== started;
}

/** Clock ticks between boot and the start of the process (proc(5), field 22), or `none`. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'none';
  } catch {
    return 'none';
  }
}
