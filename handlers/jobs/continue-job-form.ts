// The form of a job that failed because typed input is missing or was refused. It takes the input again, and the job resumes.

import * as v from 'valibot';
import { jobHref } from '../../shared/appliance/about-jobs.ts';
import { continueJob } from '../../shared/appliance/continued-jobs.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

/** Which fields there are is for the job to say: a name is looked up there, and nowhere else. */
const body = v.record(v.pipe(v.string(), v.maxLength(256)), v.pipe(v.string(), v.maxLength(65_535)));

export const operation = defineForm(
  {
    id: 'continueJobForm',
    path: `${pageRoute('job')}/continue`,
    access: { session: 'write:jobs' },
    effect: 'queues-job',
    tag: 'Jobs',
    summary: 'Continue a job',
    description:
      'Takes what the job asks for and queues it again. What is typed is kept in the memory of the service until the job ends.',
    params: idParam('job_id', 'Id of the job.'),
    body,
    // Properties of an OVA are among what is asked for, as in the wizard that queued the job.
    bodyLimit: 512 << 10,
    audit: ['job.continue'],
    problems: ['resource_not_found', 'state_conflict'],
    async run({ tx, services, actor, audit, params, body }) {
      const { job, typed } = await continueJob(tx, actor, params.job_id, body);
      // Before the commit: afterwards the job may begin at any moment.
      jobSecrets(services).put(job.id, typed);
      audit({ action: 'job.continue', resource_type: 'job', resource_id: job.id, detail: { kind: job.kind } });
      return { body: { job_id: job.id, page: jobHref(job) } };
    },
  },
  {
    page: pageRoute('job'),
    secret: 'all',
    decode: ({ values }) => Object.fromEntries([...values].filter(([name]) => name !== 'csrf')),
    done: ({ body }) => ({ location: (body as { page: string }).page, flash: 'The job goes on.' }),
  },
);
