// The mutation lock (423): while a guarded operation runs, mutations of what it owns are refused at once and told who
// owns it and since when. Scope `all` is an apply or a restore; others own one target.
import type { Database, Transaction } from '../store/database.ts';
import { Problem } from './problems.ts';

export interface MutationLock {
  scope: string;
  job_id: string;
  since: string;
}

/** Seconds that a refused caller is told to wait. */
const RETRY_AFTER = 5;

export function lockedBy(lock: MutationLock): Problem {
  return new Problem(
    'mutation_locked',
    `The job ${lock.job_id} owns this since ${lock.since}. Wait for its terminal result, then retry.`,
    { owner: { job_id: lock.job_id, since: lock.since }, retry_after: RETRY_AFTER },
  );
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

/** Columns that bring the lock on everything along with another row, sparing a statement. */
export const LOCK_COLUMNS = `(SELECT job_id FROM mutation_lock WHERE scope = 'all') AS lock_job,
  (SELECT since FROM mutation_lock WHERE scope = 'all') AS lock_since`;

export interface LockColumns {
  lock_job: string | null;
  lock_since: string | null;
}

export function lockOf(row: LockColumns): MutationLock | null {
  return row.lock_job && row.lock_since ? { scope: 'all', job_id: row.lock_job, since: row.lock_since } : null;
}
