// Asks a job to stop.

import { stopScope } from '../../shared/appliance/about-jobs.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { cancelJob } from '../../shared/kernel/jobs/job.ts';
import { jobAnswer } from '../../shared/kernel/jobs/job-answer.ts';
import { jobSchema } from '../../shared/kernel/jobs/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/cancel',
  access: { scope: 'write:jobs' },
  effect: 'immediate',
  // A job that holds the lock must be stoppable.
  guarded: false,
  tag: 'Jobs',
  summary: 'Cancel a job',
  description:
    'A queued job ends at once; a running one stops at its next safe point and leaves the rest skipped. An apply finishes the unit that it is at. Changes application state immediately. A finished job is a conflict. An apply also needs write:apply; some other kinds need the scope that starts them.',
  params: idParam('job_id', 'Id of the job.'),
  answers: { 202: { description: 'The job, which was asked to stop.', schema: jobSchema } },
  problems: ['resource_not_found', 'job_finished', 'insufficient_scope'],
  audit: ['job.cancel'],
  async run({ services, request, tx, params, actor, audit, afterCommit }) {
    const job = await cancelJob(tx, params.job_id);
    const scope = stopScope(job);
    if (scope && !actor.scopes.has(scope)) {
      throw missingScope(actor, scope, `Stopping this job needs ${scope} as well.`);
    }
    audit({ action: 'job.cancel', resource_type: 'job', resource_id: job.id, detail: { kind: job.kind } });
    afterCommit(() => services.notify('jobs'));
    return { status: 202, body: jobAnswer(job, services, request) };
  },
});
