// Forgetting jobs with their tasks, once none of them runs.
import type { Database, Transaction } from '../../ground/store/database.ts';

/** Id of the oldest job that has not ended. */
export async function unendedJob(db: Database): Promise<string | null> {
  const sql = "SELECT id FROM job WHERE state IN ('queued', 'running', 'waiting') ORDER BY created_at LIMIT 1";
  return (await db.one<{ id: string }>(sql))?.id ?? null;
}

export async function forgetJobs(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM task');
  await tx.run('DELETE FROM job');
}
