// What others show of jobs beside rows of their own: short answers, and columns that save them a statement.
import type { Database } from '../../ground/store/database.ts';
import type { Job } from './job.ts';

export type JobGlance = Pick<
  Job,
  'id' | 'kind' | 'subject' | 'state' | 'progress_percent' | 'created_by' | 'started_at'
>;

const UNFINISHED = `SELECT id, kind, subject, state, progress_percent, created_by, started_at FROM job
  WHERE state IN ('queued', 'running', 'waiting') ORDER BY created_at LIMIT 10`;

export const unfinishedJobs = (database: Database): Promise<JobGlance[]> => database.all<JobGlance>(UNFINISHED);

/** What a job is about, in a statement. */
export const subjectOfJob = (id: string): string => `(SELECT subject FROM job WHERE job.id = ${id})`;

/** How the job in a column ended, as `job_state` and `error` (JSON): columns of a statement. */
export const endOfJob = (column: string): string => `(SELECT error FROM job WHERE job.id = ${column}) AS error,
  (SELECT state FROM job WHERE job.id = ${column}) AS job_state`;

/** The running tasks of the jobs whose ids a query answers: `job_id`, `percent`, and `progress` as JSON or null. */
export const runningTasks = (jobs: string): string => `SELECT job_id, progress_percent AS percent, progress FROM task
  WHERE state = 'running' AND job_id IN (${jobs})`;

/**
 * How far the job in a column is, without the tasks of these names: `title` of the step that runs, or null, `done`,
 * `total`, and `stopping` where somebody asked to stop it: columns of a statement.
 */
export function paceOfJob(column: string, without: readonly string[]): string {
  const tasks = `FROM task WHERE job_id = ${column}`;
  const counted = `${tasks} AND name NOT IN (${without.map((name) => `'${name}'`).join(', ')})`;
  return `(SELECT title ${tasks} AND state = 'running' LIMIT 1) AS title,
    (SELECT count(*) ${counted} AND state NOT IN ('queued', 'running')) AS done, (SELECT count(*) ${counted}) AS total,
    (SELECT cancel_requested FROM job WHERE id = ${column}) AS stopping`;
}

/** How the search finds jobs. */
export const FOUND_JOBS = { table: 'job', columns: ['id'], fact: "kind || ', ' || state" } as const;
