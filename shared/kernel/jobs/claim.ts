// Which job is next: one that was cancelled before it began, or, of a lane with room, the oldest without a living
// owner.
import { AHEAD_MOST, instant, later } from '../../ground/clock.ts';
import type { SqlValue } from '../../ground/store/database.ts';
import type { Services } from '../operation/services.ts';
import type { Lane } from './kind.ts';
import { LEASE_SECONDS, ownerIsDead } from './lease.ts';

export interface Claimed {
  id: string;
  kind: string;
  subject: string | null;
  input: string;
  kept: string;
  created_by: string;
  /** As it was found. */
  state: string;
  resumes: number;
  cancel_requested: number;
}

interface Candidate extends Claimed {
  lease_owner: string | null;
  lease_until: string | null;
}

export interface ClaimOptions {
  services: Pick<Services, 'store' | 'clock'>;
  owner: string;
  /** Known kinds → their lane. */
  lanes: ReadonlyMap<string, Lane>;
  /** Lanes with room. */
  room: readonly Lane[];
  /** Ids of the jobs that run here, or that are not tried now. */
  running: readonly string[];
}

/** Candidates of each lane, at most: a few may belong to another process. */
const LOOKED_AT = 50;

/** Takes the lease of the next job, oldest first; null when there is none. */
export async function claim(options: ClaimOptions): Promise<Claimed | null> {
  const { services, owner, lanes } = options;
  const { store, clock } = services;
  const now = clock.now();
  const free = (await candidatesOf(options)).find(
    (job) =>
      // A job of a kind that this program does not know can still be cancelled.
      (lanes.has(job.kind) || job.cancel_requested === 1) &&
      // It does not run here: one of our own is one whose end could not be written.
      (job.state === 'queued' ||
        !job.lease_owner ||
        job.lease_owner === owner ||
        isOver(job.lease_until!, now) ||
        ownerIsDead(job.lease_owner)),
  );
  if (!free) return null;
  // Whether another process had it when it died. One that was left at a stop, or could not be ended, is no such job.
  const died = free.state === 'running' && free.lease_owner !== null && free.lease_owner !== owner;
  const resumes = free.resumes + (died ? 1 : 0);
  const taken = await store.write((tx) =>
    tx.run(
      `UPDATE job SET state = 'running', lease_owner = ?, lease_until = ?, started_at = coalesce(started_at, ?),
         resumes = ?
       WHERE id = ? AND state IN ('queued', 'running', 'waiting') AND lease_owner IS ?`,
      [owner, instant(later(now, LEASE_SECONDS)), instant(now), resumes, free.id, free.lease_owner],
    ),
  );
  return taken === 1 ? { ...free, resumes } : claim(options);
}

/** Also when it ends later than any lease could: the clock was set back since, and a living owner renews it. */
const isOver = (lease_until: string, now: Date): boolean =>
  lease_until < instant(now) || lease_until > instant(later(now, LEASE_SECONDS + AHEAD_MOST));

/** Gives back one that was just taken, as it was found. */
export async function giveBack({ store }: Pick<Services, 'store'>, owner: string, job: Claimed): Promise<void> {
  await store.write((tx) =>
    tx.run('UPDATE job SET state = ?, lease_owner = NULL, lease_until = NULL WHERE id = ? AND lease_owner = ?', [
      job.state,
      job.id,
      owner,
    ]),
  );
}

/**
 * Jobs of the lanes with room, each lane by itself, so that one with many jobs does not hide another; and jobs that
 * were cancelled before they began, which only end and need no room. One statement.
 */
async function candidatesOf({ services, lanes, room, running }: ClaimOptions): Promise<Candidate[]> {
  const kindsOf = (fits: (lane: Lane) => boolean) =>
    JSON.stringify([...lanes].filter(([, lane]) => fits(lane)).map(([kind]) => kind));
  const parameters: SqlValue[] = [];
  const part = (which: string, ...values: SqlValue[]) => {
    parameters.push(...values, JSON.stringify(running), LOOKED_AT);
    return `SELECT * FROM (SELECT id, kind, subject, input, kept, created_by, created_at, state, resumes, lease_owner,
        lease_until, cancel_requested
      FROM job WHERE ${which} AND id NOT IN (SELECT value FROM json_each(?))
      ORDER BY created_at LIMIT ?)`;
  };
  const open = "state IN ('queued', 'running', 'waiting') AND kind";
  const parts = room.map((lane) =>
    // Kinds that this program does not know are there as well.
    lane === 'host'
      ? part(
          `${open} NOT IN (SELECT value FROM json_each(?))`,
          kindsOf((other) => other !== 'host'),
        )
      : part(
          `${open} IN (SELECT value FROM json_each(?))`,
          kindsOf((other) => other === lane),
        ),
  );
  parts.push(part("state = 'queued' AND cancel_requested = 1"));
  return services.store.all<Candidate>(`${parts.join(' UNION ALL ')} ORDER BY created_at`, parameters);
}
