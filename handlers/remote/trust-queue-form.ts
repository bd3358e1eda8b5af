// Certificate trust: queues the reviewed task.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { requireDraft, requireReviewed } from '../../shared/vcf/remote/draft.ts';
import { queueTrust, type TrustInput } from '../../shared/vcf/remote/trust-job.ts';
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import {
  decodeTexts,
  LOGIN,
  REVIEWED,
  type Ready,
  readyToLogIn,
  TRUSTED,
  taskForm,
} from '../../shared/vcf/remote/wizard-operations.ts';

const body = v.strictObject({ ...TRUSTED, ...LOGIN, ...REVIEWED });

export const operation = taskForm(
  TRUST_TASK,
  {
    id: 'certificateTrustForm',
    at: 'run',
    effect: 'queues-job',
    summary: 'Make an appliance trust a certificate',
    description:
      'Queues a durable job. A typed password is kept in the memory of the service until the job ends; a stored one is opened when the job logs in.',
    body,
    audit: ['remote.certificate.queue'],
    problems: ['trust_missing', 'state_conflict'],
    prepare: ({ services, actor, request, body }) => readyToLogIn(TRUST_TASK, { services, actor, request, body }),
    async run({ tx, services, actor, audit, body, prepared }) {
      const { trusted, server, stored } = prepared as Ready;
      const draft = requireDraft(services, actor, TRUST_TASK, body.draft, server);
      const { certificate } = draft;
      if (!certificate) throw new Problem('state_conflict', 'No certificate was given yet.');
      requireReviewed(TRUST_TASK, draft, body.reviewed);
      const { pem, sha256, subject } = certificate;
      const choice = stored && { vault_id: stored.vault_id, choice_id: stored.choice_id };
      const input: TrustInput = { target: trusted, certificate: { pem, sha256, subject }, stored: choice };
      const job_id = await queueTrust(tx, services, input, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      if (!stored) jobSecrets(services).put(job_id, { username: body.username, password: body.password });
      audit({
        action: 'remote.certificate.queue',
        resource_type: 'job',
        resource_id: job_id,
        detail: { server, sha256, subject },
      });
      return { body: { job_id } };
    },
  },
  {
    secret: ['password'],
    decode: decodeTexts(body),
    done: ({ body }) => ({
      location: pagePath('job', (body as { job_id: string }).job_id),
      flash: 'The certificate is on its way. This page follows the job.',
    }),
  },
);
