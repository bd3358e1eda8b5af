// The button that asks a job to stop.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as cancelJob } from './cancel-job.ts';

export const operation = defineForm(
  { of: cancelJob, path: '/ui/management/jobs/{job_id}/cancel', access: { session: 'write:jobs' } },
  {
    page: '/ui/management/jobs/{job_id}',
    decode: () => undefined,
    done: (_answer, _fields, params) => ({
      location: `/ui/management/jobs/${encodeURIComponent(params.job_id ?? '')}`,
      flash: 'The job was asked to stop.',
    }),
  },
);
