// Deployment: checks once more, and queues what was reviewed.

import { Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { requirePassed } from '../../shared/vcf/deployment/preflight.ts';
import { queueDeployment } from '../../shared/vcf/deployment/queue.ts';
import { keptSecrets } from '../../shared/vcf/deployment/request.ts';
import { decodeReview, type ReviewedOr, reviewBody, reviewed } from '../../shared/vcf/deployment/reviewed.ts';
import { DEPLOY_TASK, deploymentHref, SECRET_FIELDS, warningsMark } from '../../shared/vcf/deployment/wizard-task.ts';
import { taskForm } from '../../shared/vcf/remote/wizard-operations.ts';

const QUEUE = 'vcf-helper.deployment.queue';

export const operation = taskForm(
  DEPLOY_TASK,
  {
    id: 'sddcManagerDeployForm',
    at: 'deploy',
    effect: 'queues-job',
    summary: 'Deploy a service manager from its OVA',
    description:
      'Queues a durable job, after everything it stands on was looked at once more: a refused check queues nothing, and warnings have to be accepted as they are now. Typed passwords stay in the memory of the service until the job ends; a stored login is opened when the job logs in. The job owns the name of the machine at its target until it ends. A machine that was made is never deleted by it.',
    body: reviewBody,
    bodyLimit: 512 << 10,
    audit: [QUEUE],
    problems: [
      ...(['trust_missing', 'certificate_changed', 'remote_login_refused', 'ova_refused'] as const),
      ...(['preflight_refused', 'state_conflict', 'mutation_locked', 'too_many_attempts'] as const),
    ],
    prepare: (asking) => reviewed(asking),
    async run({ tx, services, actor, audit, body, prepared }) {
      const seen = prepared as ReviewedOr;
      const { server } = seen.ready;
      const looked_at = seen.asked_at;
      const refuse = 'refuse' in seen ? seen.refuse : refusalOf(seen, body.accept_warnings);
      if (refuse || 'refuse' in seen) {
        const detail = { server, looked_at, refused: refuse?.code };
        audit({ action: QUEUE, resource_type: 'remote_target', resource_id: null, outcome: 'failure', detail });
        return { refuse: refuse! };
      }
      const { request, secrets } = seen;
      const job_id = await queueDeployment(tx, services, request, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      jobSecrets(services).put(job_id, keptSecrets(secrets));
      const { name, place, ova, extras, power_on } = request;
      audit({
        action: QUEUE,
        resource_type: 'job',
        resource_id: job_id,
        detail: {
          server,
          looked_at,
          name,
          place,
          ova: ova.file,
          power_on,
          extras,
          secret_properties: request.secret_properties,
        },
      });
      return { body: { job_id } };
    },
  },
  {
    secret: [...SECRET_FIELDS],
    decode: decodeReview,
    done: ({ body }) => ({
      location: deploymentHref((body as { job_id: string }).job_id),
      flash: 'The deployment is queued. This page follows it, and goes on without you.',
    }),
  },
);

function refusalOf({ looked }: Exclude<ReviewedOr, { refuse: Problem }>, accepted: string): Problem | null {
  try {
    requirePassed(looked, DEPLOY_TASK.path);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  const mark = warningsMark(looked.checks);
  if (mark === '' || mark === accepted) return null;
  return new Problem('preflight_refused', 'There are warnings. Read them, and say that they are to be passed over.', {
    errors: [{ pointer: '/accept_warnings', detail: 'Read the warnings above and accept them, or put them right.' }],
  });
}
