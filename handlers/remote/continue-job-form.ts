// The form of a job that failed because its typed login is gone: enter it again, and the job goes on.
import * as v from 'valibot';
import { idParam } from '../../shared/operation/component.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { continueJob } from '../../shared/remote/continue-job.ts';
import { typedLogins } from '../../shared/remote/transient.ts';
import { typedLogin } from '../../shared/remote/wizard-credential.ts';
import { decodeTexts, LOGIN } from '../../shared/remote/wizard-operations.ts';

const body = v.strictObject(LOGIN);

export const operation = defineForm(
  {
    id: 'continueJobForm',
    path: '/ui/management/jobs/{job_id}/login',
    access: { session: 'write:jobs' },
    effect: 'queues-job',
    tag: 'Jobs',
    summary: 'Continue a job with a login',
    description: 'Queues the job again. The password is kept in the memory of the service until the job ends.',
    params: idParam('job_id', 'Id of the job.'),
    body,
    audit: ['remote.job.continue'],
    problems: ['resource_not_found', 'state_conflict'],
    async run({ tx, services, actor, audit, params, body }) {
      const login = typedLogin(body);
      const { id, kind } = await continueJob(tx, actor, params.job_id);
      typedLogins(services).put(id, login);
      audit({ action: 'remote.job.continue', resource_type: 'job', resource_id: id, detail: { kind } });
      return { body: { job_id: id } };
    },
  },
  {
    page: '/ui/management/jobs/{job_id}',
    secret: ['password'],
    decode: decodeTexts(body),
    done: (_answer, _fields, params) => ({
      location: `/ui/management/jobs/${encodeURIComponent(params.job_id ?? '')}`,
      flash: 'The job goes on.',
    }),
  },
);
