// How many jobs there are, and how the last ones ended.
import type { Database } from '../../ground/store/database.ts';

/** How many jobs there are by state, of those that are not over, and when the last one ended so: kind, state, instant. */
export interface JobCounts {
  unfinished: Readonly<Partial<Record<'queued' | 'running' | 'waiting', number>>>;
  ended: readonly { kind: string; state: string; count: number; last_at: string }[];
}

const UNFINISHED_BY_STATE = `SELECT state, count(*) AS count FROM job WHERE state IN ('queued', 'running', 'waiting')
  GROUP BY state`;
/** One without an instant ended before they were kept. */
const LAST_BY_KIND = `SELECT kind, state, count(*) AS count, max(finished_at) AS last_at FROM job
  WHERE state NOT IN ('queued', 'running', 'waiting') AND finished_at IS NOT NULL GROUP BY kind, state ORDER BY kind, state`;
const ENDED_BY_KIND = `SELECT kind, state, count(*) AS count, max(finished_at) AS last_at FROM job
  WHERE state NOT IN ('queued', 'running', 'waiting') GROUP BY kind, state ORDER BY kind, state`;

/** How the last jobs of each kind ended. One statement. */
export const endedJobs = (database: Database): Promise<JobCounts['ended'][number][]> => database.all(LAST_BY_KIND);

/** Two statements. Jobs that were forgotten count no more. */
export async function countJobs(database: Database): Promise<JobCounts> {
  const unfinished = await database.all<{ state: string; count: number }>(UNFINISHED_BY_STATE);
  const ended = await database.all<JobCounts['ended'][number]>(ENDED_BY_KIND);
  return { unfinished: Object.fromEntries(unfinished.map(({ state, count }) => [state, count])), ended };
}
