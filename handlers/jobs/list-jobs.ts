// Lists jobs with their tasks.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { JOB_STATES, listJobs } from '../../shared/kernel/jobs/job.ts';
import { jobAnswer } from '../../shared/kernel/jobs/job-answer.ts';
import { JOB_KIND_NAMES } from '../../shared/kernel/jobs/kind.ts';
import { jobListSchema } from '../../shared/kernel/jobs/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  access: { scope: 'read:jobs' },
  tag: 'Jobs',
  summary: 'List jobs',
  description: 'Newest first, with their tasks. Jobs survive a restart: they go on, or end as failed with a cause.',
  query: v.strictObject({
    ...PAGE_QUERY,
    state: v.optional(v.pipe(v.picklist(JOB_STATES), v.description('Only jobs in this state.'))),
    kind: v.optional(v.pipe(v.picklist(JOB_KIND_NAMES), v.description('Only jobs of this kind.'))),
  }),
  answers: { 200: { description: 'A page of the jobs; `next_cursor` leads to the next.', schema: jobListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, services, request, query }) {
    const { items, next_cursor } = await listJobs(db, { ...query, limit: pageLimit(query.limit) });
    return { body: { items: items.map((job) => jobAnswer(job, services, request)), next_cursor } };
  },
});
