// The jobs of the list as a CSV file.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { jobFilter, listJobs } from '../../shared/kernel/jobs/job.ts';
import { JOBS_LIST } from '../../shared/kernel/jobs/list-words.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: JOBS_LIST,
  path: pagePath('jobs'),
  scope: 'read:jobs',
  by: ['search', 'sort', 'state'],
  head: ['id', 'kind', 'job', 'subject', 'state', 'created_by', 'created_at', 'started_at', 'finished_at'],
  // Each comes with its tasks and their logs.
  atOnce: 100,
  async rows({ db, query }, page) {
    // What each kind of job says of itself is much to load for the other operations beside this one.
    const { jobWords } = await import('../../shared/appliance/about-jobs.ts');
    const found = await listJobs(db, { ...jobFilter(query), ...page });
    return {
      ...found,
      items: found.items.map((job) => [
        job.id,
        job.kind,
        jobWords(job),
        job.subject,
        job.state,
        job.created_by,
        job.created_at,
        job.started_at,
        job.finished_at,
      ]),
    };
  },
});
