// Forgetting jobs with their tasks, once none of them runs.
import type { Transaction } from '../../ground/store/database.ts';

export async function forgetJobs(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM task');
  await tx.run('DELETE FROM job');
}
