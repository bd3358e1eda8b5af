// Jobs as a CSV file.
import * as v from 'valibot';
import { csvHeaders, csvParts } from '../../shared/ground/csv.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { allPages } from '../../shared/ground/store/pagination.ts';
import { JOB_STATES, type Job, listJobs } from '../../shared/kernel/jobs/job.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

const HEAD = ['id', 'kind', 'job', 'subject', 'state', 'created_by', 'created_at', 'started_at', 'finished_at'];
/** Rows that are read at once: each comes with its tasks and their logs. */
const AT_ONCE = 100;

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
  description:
    'Jobs, newest first, of the state that the list shows, for a spreadsheet. They are read as they are sent.',
  query: v.strictObject({ state: v.optional(v.string(), '') }),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  async run({ db, query }) {
    // What each kind of job says of itself is much to load for the other operations beside this one.
    const { jobWords } = await import('../../shared/appliance/about-jobs.ts');
    const state = JOB_STATES.find((known) => known === query.state);
    const jobs = allPages((page) => listJobs(db, { state, ...page }), AT_ONCE);
    return { parts: csvParts(HEAD, jobs, (job) => cells(job, jobWords(job))), headers: csvHeaders('jobs') };
  },
});
