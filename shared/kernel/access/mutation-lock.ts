// The mutation lock (423): while a guarded operation runs, mutations of what it owns are refused at once and told who
// owns it and since when. Scope `all` is an apply or a restore; others own one target.

import { systemClock } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';

export interface MutationLock {
  scope: string;
  job_id: string;
  since: string;
}

/** Seconds that a refused caller is told to wait. */
const RETRY_AFTER = 5;

interface WaitingPlan {
  id: string;
  submitted_by: string;
  deadline_at: string | null;
}

const WAITING = `SELECT id, submitted_by, window ->> '$.deadline_at' AS deadline_at FROM plan
  WHERE job_id = ? AND state = 'confirming'`;

/**
 * The refusal. When the owner itself waits for a confirmation, the refusal says for how long, who opened the window, and the
 * two ways to end it.
 */
export async function lockedBy(database: Database, { job_id, since }: MutationLock): Promise<Problem> {
  const plan = await database.one<WaitingPlan>(WAITING, [job_id]);
  if (!plan) {
    const said = `The job ${job_id} owns this since ${since}. Try again when it ends.`;
    return new Problem('mutation_locked', said, { owner: { job_id, since }, retry_after: RETRY_AFTER });
  }
  const { id, submitted_by, deadline_at } = plan;
  const page = pagePath('plan', id);
  const left = deadline_at === null ? 0 : Math.ceil((Date.parse(deadline_at) - systemClock.now().getTime()) / 1000);
  const seconds_left = Math.max(0, left);
  const said = `The plan ${id} of ${submitted_by} is in force and waits for its confirmation. Confirm it or put it back first; otherwise it goes back in ${seconds_left} seconds.`;
  const path = `/api/v1/apply/plans/${id}`;
  const window = {
    plan_id: id,
    opened_by: submitted_by,
    seconds_left,
    confirm: `${path}/confirm`,
    put_back: `${path}/cancel`,
  };
  const members = { owner: { job_id, since, page, window }, retry_after: Math.max(RETRY_AFTER, seconds_left) };
  return new Problem('mutation_locked', said, members);
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
