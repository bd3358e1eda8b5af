// One job with its tasks: what a client polls until the state is terminal.

import { findJob } from '../../shared/jobs/job.ts';
import { jobAnswer } from '../../shared/jobs/job-answer.ts';
import { jobSchema } from '../../shared/jobs/schemas.ts';
import { idParam } from '../../shared/operation/component.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getJob',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}',
  plane: 'api',
  access: { scope: 'read:jobs' },
  effect: 'read',
  tag: 'Jobs',
  summary: 'Get a job',
  description: 'One job with its tasks. Terminal states are succeeded, failed and cancelled; poll every second or two.',
  params: idParam('job_id', 'Id of the job.'),
  answers: { 200: { description: 'The job as it is now.', schema: jobSchema } },
  problems: ['resource_not_found'],
  async run({ db, services, request, params }) {
    return { body: jobAnswer(await findJob(db, params.job_id), services, request) };
  },
});
