// The button that asks a job to stop.

import { jobHref } from '../../shared/appliance/about-jobs.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as cancelJob } from './cancel-job.ts';

export const operation = formOf(cancelJob, {
  path: `${pageRoute('job')}/cancel`,
  page: pageRoute('job'),
  done: ({ body }) => ({ location: jobHref(body as Job), flash: 'The job was asked to stop.' }),
});
