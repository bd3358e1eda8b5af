// How far the run of a plan is, for the shell of every page.
import type { Database } from '../../ground/store/database.ts';
import { paceOfJob, subjectOfJob } from '../../kernel/jobs/glances.ts';
import type { PlanWindow } from './plan.ts';
import { CONFIRM_TASK } from './submit.ts';

export interface RunningPlan {
  plan_id: string;
  /** Of the step that runs; null before the first. */
  title: string | null;
  /** Units that are done, and all. */
  done: number;
  total: number;
  window: PlanWindow | null;
  /** Somebody asked to stop it. */
  stopping: boolean;
}

const RUNNING = `SELECT id AS plan_id, window, ${paceOfJob('?1', ['prepare', CONFIRM_TASK])}
  FROM plan WHERE id = ${subjectOfJob('?1')}`;

/** By its job; undefined for none. One statement: every page asks. */
export async function runningPlan(db: Database, job_id: string): Promise<RunningPlan | undefined> {
  const row = await db.one<Omit<RunningPlan, 'window' | 'stopping'> & { window: string | null; stopping: number }>(
    RUNNING,
    [job_id],
  );
  return (
    row && {
      ...row,
      stopping: row.stopping === 1,
      window: row.window === null ? null : (JSON.parse(row.window) as PlanWindow),
    }
  );
}
