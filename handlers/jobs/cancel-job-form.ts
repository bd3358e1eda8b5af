// The button that asks a job to stop.
import { jobHref } from '../../shared/appliance/about-jobs.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as cancelJob } from './cancel-job.ts';

export const operation = defineForm(
  { of: cancelJob, path: '/ui/management/jobs/{job_id}/cancel', access: { session: 'write:jobs' } },
  {
    page: '/ui/management/jobs/{job_id}',
    decode: () => undefined,
    done: ({ body }) => ({ location: jobHref(body as Job), flash: 'The job was asked to stop.' }),
  },
);
