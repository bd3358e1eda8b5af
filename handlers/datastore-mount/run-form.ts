// Mounting on hosts: queues the reviewed task.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { type MountInput, queueMount } from '../../shared/vcf/datastore-mount/input.ts';
import { MOUNT_TASK, taskHref } from '../../shared/vcf/datastore-mount/task.ts';
import { requireDraft, requireReviewed } from '../../shared/vcf/remote/draft.ts';
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
  MOUNT_TASK,
  {
    id: 'datastoreMountRunForm',
    at: 'run',
    effect: 'queues-job',
    summary: 'Mount a datastore on hosts, or unmount it there',
    description:
      'Queues a durable job with a step for each host. A host that refuses is told with its reason, and leaves the others as they are; what a host has already is no failure. A typed password is kept in the memory of the service until the job ends; a stored login is opened when the job logs in.',
    body,
    audit: ['remote.datastore.queue'],
    problems: ['trust_missing', 'state_conflict'],
    prepare: ({ services, actor, request, body }) => readyToLogIn(MOUNT_TASK, { services, actor, request, body }),
    async run({ tx, services, actor, audit, body, prepared }) {
      const { trusted, server, stored } = prepared as Ready;
      const draft = requireDraft(services, actor, MOUNT_TASK, body.draft, server);
      const chosen = draft.nas?.chosen;
      if (!chosen) throw new Problem('state_conflict', 'No datastore was chosen yet.');
      requireReviewed(MOUNT_TASK, draft, body.reviewed);
      const choice = stored && { vault_id: stored.vault_id, choice_id: stored.choice_id };
      const input: MountInput = { ...chosen, target: trusted, stored: choice };
      const job_id = await queueMount(tx, services, input, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      if (!stored) jobSecrets(services).put(job_id, { username: body.username, password: body.password });
      const { action: does, datastore, hosts } = chosen;
      const detail = { server, does, datastore: datastore.name, hosts: hosts.map(({ name }) => name) };
      audit({ action: 'remote.datastore.queue', resource_type: 'job', resource_id: job_id, detail });
      return { body: { job_id } };
    },
  },
  {
    secret: ['password'],
    decode: decodeTexts(body),
    done: ({ body }) => ({
      location: taskHref((body as { job_id: string }).job_id),
      flash: 'The hosts are asked. This page follows it.',
    }),
  },
);
