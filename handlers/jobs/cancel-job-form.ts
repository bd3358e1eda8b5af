// The button that asks a job to stop.

import { jobHref } from '../../shared/appliance/about-jobs.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as cancelJob } from './cancel-job.ts';

export const operation = defineForm(
  { of: cancelJob, path: `${pageRoute('job')}/cancel`, access: { session: 'write:jobs' } },
  {
    page: pageRoute('job'),
    decode: () => undefined,
    done: ({ body }) => ({ location: jobHref(body as Job), flash: 'The job was asked to stop.' }),
  },
);
