// The button below the list of jobs, for those that were chosen.
import { jobWords } from '../../shared/appliance/about-jobs.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { JOBS_LIST } from '../../shared/kernel/jobs/list-words.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as cancelJob } from './cancel-job.ts';

export const operation = rowsForm({
  words: JOBS_LIST,
  param: 'job_id',
  verbs: { cancel: cancelJob },
  name: async (db, id) => jobWords(await findJob(db, id)),
  page: pagePath('jobs'),
  path: `${pagePath('jobs')}/chosen`,
  kept: ['search', 'sort', 'state', 'cursor'],
});
