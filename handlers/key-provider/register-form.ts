// Registering at a vCenter: queues the reviewed task, for a user who entered the own password again.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { type KeyProviderInput, queueRegistration } from '../../shared/vcf/key-provider/input.ts';
import { KEY_PROVIDER_TASK, placeText, taskHref } from '../../shared/vcf/key-provider/task.ts';
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
  KEY_PROVIDER_TASK,
  {
    id: 'keyProviderRegisterForm',
    at: 'register',
    effect: 'queues-job',
    summary: 'Register the KMIP server at a vCenter',
    description:
      'Queues a durable job that owns the key providers of the vCenter until it ended: another one for the same server is refused with 423 and told its id. The job lets the vCenter in as a client, which opens every key of the provider: the own password is asked for. That proof is of the user who queues the job, and holds for this job until it ends: whoever continues it after an interruption enters the login of the vCenter again and no own password, and can change nothing of what was reviewed. Until the vCenter says that it is connected, a failure takes back what was done here and there. A key provider of the same name is left alone, also one that somebody registered by hand while the job was interrupted: the name of the KMIP server in the vCenter ends with the last eight characters of the job’s id. A typed password is kept in the memory of the service until the job ends; a stored login is opened when the job logs in.',
    body,
    audit: ['remote.key-provider.queue'],
    problems: ['trust_missing', 'state_conflict'],
    async prepare({ services, actor, request, body }) {
      const { requireKms } = await import('../../shared/vcf/key-provider/local.ts');
      await requireKms(services);
      return readyToLogIn(KEY_PROVIDER_TASK, { services, actor, request, body });
    },
    async run({ tx, services, actor, audit, body, prepared }) {
      const { trusted, server, stored } = prepared as Ready;
      const draft = requireDraft(services, actor, KEY_PROVIDER_TASK, body.draft, server);
      const chosen = draft.key_provider?.chosen;
      if (!chosen) throw new Problem('state_conflict', 'No key provider was chosen yet.');
      requireReviewed(KEY_PROVIDER_TASK, draft, body.reviewed);
      const choice = stored && { vault_id: stored.vault_id, choice_id: stored.choice_id };
      const input: KeyProviderInput = { ...chosen, target: trusted, stored: choice };
      const job_id = await queueRegistration(tx, services, input, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      if (!stored) jobSecrets(services).put(job_id, { username: body.username, password: body.password });
      const { cluster, provider_name: provider, make_default } = chosen;
      const detail = { server, key_provider: cluster, provider, kmip: placeText(chosen.server), make_default };
      audit({ action: 'remote.key-provider.queue', resource_type: 'job', resource_id: job_id, detail });
      return { body: { job_id } };
    },
  },
  {
    secret: ['password'],
    confirms: { resource_type: 'remote_target' },
    decode: decodeTexts(body),
    done: ({ body }) => ({
      location: taskHref((body as { job_id: string }).job_id),
      flash: 'The registration is on its way. This page follows it.',
    }),
  },
);
