// Jobs on remote machines that failed for want of a login, and go on once it was typed again.
import type { Actor } from '../access/actor.ts';
import type { Scope } from '../access/scopes.ts';
import { findJob, type Job } from '../jobs/job.ts';
import { Problem } from '../operation/problems.ts';
import type { Transaction } from '../store/database.ts';
import { TRUST_KIND } from './trust-job.ts';
import { TRUST_TASK } from './wizard.ts';

/** Kind → who may continue it. */
const CONTINUED: Readonly<Record<string, Scope>> = { [TRUST_KIND]: TRUST_TASK.scope };
const CAUSES: readonly unknown[] = ['remote_credential_gone', 'remote_login_refused'];

/** The scope that continuing takes; null for a job that can't be continued. */
export function continuedWith({ kind, state, error }: Pick<Job, 'kind' | 'state' | 'error'>): Scope | null {
  return state === 'failed' && CAUSES.includes(error?.error_code) ? (CONTINUED[kind] ?? null) : null;
}

/**
 * Queues the job again from its first task, with what is typed now and nothing else: a stored login of somebody who chose
 * it is not used for somebody who types another one.
 * @throws Problem 403, 404, 409
 */
export async function continueJob(tx: Transaction, actor: Actor, job_id: string): Promise<Job> {
  const job = await findJob(tx, job_id);
  const scope = continuedWith(job);
  if (scope === null) throw new Problem('state_conflict', 'This job does not wait for a login.');
  if (!actor.scopes.has(scope)) {
    throw new Problem('insufficient_scope', `The role ${actor.role} does not include ${scope}.`, { scope });
  }
  await tx.run(
    "UPDATE task SET state = 'queued', started_at = NULL, finished_at = NULL, progress_percent = 0 WHERE job_id = ?",
    [job_id],
  );
  await tx.run(
    `UPDATE job SET state = 'queued', error = NULL, finished_at = NULL, progress_percent = 0, cancel_requested = 0,
       input = json_set(input, '$.stored', NULL)
     WHERE id = ?`,
    [job_id],
  );
  return job;
}
