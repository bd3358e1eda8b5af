// One job with its tasks: what a client polls until the state is terminal.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { jobAnswer } from '../../shared/kernel/jobs/job-answer.ts';
import { jobSchema } from '../../shared/kernel/jobs/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getJob',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}',
  access: { scope: 'read:jobs' },
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
