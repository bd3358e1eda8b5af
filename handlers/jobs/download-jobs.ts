// Jobs as a CSV file.
import { csv } from '../../shared/ground/csv.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Job, listJobs } from '../../shared/kernel/jobs/job.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const HEAD = ['id', 'kind', 'job', 'subject', 'state', 'created_by', 'created_at', 'started_at', 'finished_at'];
/** More than a person reads; a program pages through the API. */
const MOST_ROWS = 2_000;

const cells = (job: Job, words: string) => [
  job.id,
  job.kind,
  words,
  job.subject,
  job.state,
  job.created_by,
  job.created_at,
  job.started_at,
  job.finished_at,
];

export const operation = defineOperation({
  id: 'downloadJobs',
  method: 'GET',
  path: `${pagePath('jobs')}.csv`,
  plane: 'management',
  access: { session: 'read:jobs' },
  tag: 'Pages',
  summary: 'Jobs as CSV',
  description: `Jobs, newest first, for a spreadsheet: at most ${MOST_ROWS}.`,
  answers: { 200: { description: 'The file (RFC 4180).' } },
  async run({ db }) {
    // What each kind of job says of itself is much to load for the other operations beside this one.
    const { jobWords } = await import('../../shared/appliance/about-jobs.ts');
    const { items } = await listJobs(db, { limit: MOST_ROWS });
    return {
      html: csv([HEAD, ...items.map((job) => cells(job, jobWords(job)))]),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="jobs.csv"',
      },
    };
  },
});
