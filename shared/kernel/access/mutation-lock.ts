// The mutation lock (423): while a guarded operation runs, mutations of what it owns are refused at once, with the
// owner and the time since when. Scope `all` is an apply or a restore; others own one target.

import { type Entropy, newId } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';

export interface MutationLock {
  scope: string;
  job_id: string;
  since: string;
}

/** Seconds to wait, for refused callers. */
const RETRY_AFTER = 5;

/** Ids of requests that own everything until they are answered, in the place of a job's. */
export const REQUEST = 'held_';
export const requestOwner = (entropy: Entropy): string => newId('held', entropy);

/** The refusal. The HTTP answer adds a hint when the owner waits for a person. */
export function lockedBy({ job_id, since }: MutationLock): Problem {
  if (job_id.startsWith(REQUEST)) {
    const detail = `A restore or a reset owns everything since ${since}. Try again in a moment.`;
    return new Problem('mutation_locked', detail, { owner: { job_id, since }, retry_after: RETRY_AFTER });
  }
  const said = `The job ${job_id} owns this since ${since}. Try again when it ends.`;
  return new Problem('mutation_locked', said, { owner: { job_id, since }, retry_after: RETRY_AFTER });
}

/** Seconds: the one transaction of many rows takes about one. */
const HELD_AGAIN = 1;

/**
 * For all that is saved by requests, also by those that wait for no lock: while the one transaction of a restore or a reset
 * is under way nothing else can be written.
 */
export function heldOff(owner: { job_id: string; since: string }): Problem {
  const detail = 'A restore or a reset is being saved, or tried, at this moment. Try again in a second.';
  return new Problem('mutation_locked', detail, { owner, retry_after: HELD_AGAIN });
}

/** @throws Problem 423 while a guarded operation owns everything. */
export async function refuseWhileOwned(transaction: Transaction): Promise<void> {
  const lock = await findLock(transaction);
  if (lock) throw lockedBy(lock);
}

export async function findLock(database: Database, scope = 'all'): Promise<MutationLock | undefined> {
  return database.one<MutationLock>('SELECT scope, job_id, since FROM mutation_lock WHERE scope = ?', [scope]);
}

/** Takes the lock for a job; taking it again for the same job is fine (a resumed job). @throws Problem 423 */
export async function takeLock(transaction: Transaction, scope: string, job_id: string, since: string): Promise<void> {
  const held = await findLock(transaction, scope);
  if (held && held.job_id !== job_id) throw lockedBy(held);
  if (!held) {
    await transaction.run('INSERT INTO mutation_lock (scope, job_id, since) VALUES (?, ?, ?)', [scope, job_id, since]);
  }
}

export async function releaseLocks(transaction: Transaction, job_id: string): Promise<void> {
  await transaction.run('DELETE FROM mutation_lock WHERE job_id = ?', [job_id]);
}

/** Condition of a statement: nothing owns all mutations. */
export const NOT_OWNED = "NOT EXISTS (SELECT 1 FROM mutation_lock WHERE scope = 'all')";

/** Columns that read the lock together with another row, which saves a statement. */
export const LOCK_COLUMNS = `(SELECT job_id FROM mutation_lock WHERE scope = 'all') AS lock_job,
  (SELECT since FROM mutation_lock WHERE scope = 'all') AS lock_since`;

export interface LockColumns {
  lock_job: string | null;
  lock_since: string | null;
}

export function lockOf(row: LockColumns): MutationLock | null {
  return row.lock_job && row.lock_since ? { scope: 'all', job_id: row.lock_job, since: row.lock_since } : null;
}
