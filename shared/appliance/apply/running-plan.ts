// How far the run of a plan is, for the shell of every page.
import type { Database } from '../../ground/store/database.ts';
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
}

const RUNNING = `SELECT job.subject AS plan_id,
    (SELECT title FROM task WHERE job_id = job.id AND state = 'running' LIMIT 1) AS title,
    (SELECT count(*) FROM task WHERE job_id = job.id AND name NOT IN ('prepare', '${CONFIRM_TASK}')
       AND state NOT IN ('queued', 'running')) AS done,
    (SELECT count(*) FROM task WHERE job_id = job.id AND name NOT IN ('prepare', '${CONFIRM_TASK}')) AS total,
    (SELECT window FROM plan WHERE id = job.subject) AS window
  FROM job WHERE id = ?`;

/** By its job; undefined for none. One statement: every page asks. */
export async function runningPlan(db: Database, job_id: string): Promise<RunningPlan | undefined> {
  const row = await db.one<Omit<RunningPlan, 'window'> & { window: string | null }>(RUNNING, [job_id]);
  return row && { ...row, window: row.window === null ? null : (JSON.parse(row.window) as PlanWindow) };
}
