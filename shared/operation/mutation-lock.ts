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

/** The refusal. Where the owner waits for a confirmation, waiting for the owner would be no use: it says so, and where. */
export async function lockedBy(database: Database, { job_id, since }: MutationLock): Promise<Problem> {
  const plan = await database.one<{ id: string }>("SELECT id FROM plan WHERE job_id = ? AND state = 'confirming'", [
    job_id,
  ]);
  const said = plan
    ? `The plan ${plan.id} is in force and waits to be confirmed: confirm it or put it back first.`
    : `The job ${job_id} owns this since ${since}. Wait for its terminal result, then retry.`;
  const owner = { job_id, since, ...(plan && { page: `/ui/management/appliance-apply/${plan.id}` }) };
  return new Problem('mutation_locked', said, { owner, retry_after: RETRY_AFTER });
}

/** @throws Problem 423 while a guarded operation owns everything. */
export async function refuseWhileOwned(transaction: Transaction): Promise<void> {
  const lock = await findLock(transaction);
  if (lock) throw await lockedBy(transaction, lock);
}

export async function findLock(database: Database, scope = 'all'): Promise<MutationLock | undefined> {
  return database.one<MutationLock>('SELECT scope, job_id, since FROM mutation_lock WHERE scope = ?', [scope]);
}

/** Takes the lock for a job; taking it again for the same job is fine (a resumed job). @throws Problem 423 */
export async function takeLock(transaction: Transaction, scope: string, job_id: string, since: string): Promise<void> {
  const held = await findLock(transaction, scope);
  if (held && held.job_id !== job_id) throw await lockedBy(transaction, held);
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
