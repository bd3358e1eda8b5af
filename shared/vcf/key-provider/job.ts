// Registering the KMIP server at a vCenter as a durable job. Until the vCenter is connected, a failure takes back what was
// done; a restart continues with the first step that was not done. A typed login is in memory only: when it is gone the job
// fails with that cause, and continues once it is typed again.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { releaseLocks, takeLock } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobKind } from '../../kernel/jobs/kind.ts';
import { Cancelled, type JobRun, Left } from '../../kernel/jobs/run.ts';
import { serverText } from '../connection/target.ts';
import { LOGIN_FIELDS } from '../remote/login-fields.ts';
import { jobContext } from '../remote/stored-login.ts';
import { inputOf, KEY_PROVIDER_KIND, keptIn, providerLock } from './input.ts';
import { type KmsEndpoint, requireKms } from './local.ts';
import {
  awaitConnected,
  becomeDefault,
  begin,
  end,
  exchangeTrust,
  letVcenterIn,
  readProviders,
  register,
} from './steps.ts';
import { KEY_PROVIDER_TASK, taskHref } from './task.ts';
import { shutOut, undone, withRemains } from './undo.ts';
import { openVcenter, type Vcenter } from './vcenter.ts';

export interface KeyProviderResult {
  server: string;
  vcenter: string;
  cluster: string;
  /** Of this appliance. */
  provider_id: string;
  provider: string;
  client_id: string;
  /** What the vCenter says. */
  status: string;
  is_default: boolean;
}

export const keyProviderJob: JobKind = {
  kind: KEY_PROVIDER_KIND,
  says: (subject) => `Register the KMIP server at ${subject}`,
  page: ({ id }) => ({ href: taskHref(id), label: 'Registration' }),
  lane: 'remote',
  stops: KEY_PROVIDER_TASK.scope,
  keepsSucceeded: true,
  // Each of them may leave something half done behind.
  continuesAfter: ['remote_unreachable', 'remote_timeout', 'remote_not_ready', 'remote_answer_unusable'],
  // The own password was that of whoever queued it, for exactly this: whoever continues it changes nothing of what was reviewed.
  continues: () => ({ scope: KEY_PROVIDER_TASK.scope, fields: LOGIN_FIELDS }),
  // A stored login of somebody who chose it is not used for somebody who types another one.
  continuedInput: (input) => ({ ...input, stored: null }),
  async run(job): Promise<KeyProviderResult> {
    await own(job);
    const { vcenter, endpoint } = await enter(job).catch(async (error) => {
      throw await withRemains(job, error);
    });
    try {
      return await work(job, vcenter, endpoint);
    } catch (error) {
      // The next start takes it up.
      const leaves = job.fenced || error instanceof Left || job.signal.reason instanceof Left;
      const { reason } = job.signal;
      throw leaves ? error : await undone(job, vcenter, reason instanceof Cancelled ? reason : error);
    } finally {
      await vcenter.close();
    }
  },
  async ended(job, outcome) {
    const { target, cluster, server, server_sha256, provider_name } = inputOf(job);
    const { connected = false } = keptIn(job.kept);
    if (outcome === 'cancelled') await shutOut(job);
    await releaseLocks(job.transaction!, job.id);
    await appendAudit(
      job.transaction!,
      job.services.keys,
      jobContext(job),
      {
        action: 'remote.key-provider.register',
        resource_type: 'remote_target',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: {
          ...{ job_id: job.id, server: serverText(target), key_provider: cluster, provider: provider_name },
          ...{ kmip: server.address, sha256: server_sha256, connected, ended: outcome },
        },
      },
      { holdsLock: true },
    );
  },
};

/** Also for a job that is continued: another job may own the vCenter meanwhile. @throws Problem 423 */
async function own(job: JobRun): Promise<void> {
  const { services } = job;
  const since = instant(services.clock.now());
  await services.store.write((tx) => takeLock(tx, providerLock(inputOf(job).target), job.id, since));
}

async function enter(job: JobRun): Promise<{ vcenter: Vcenter; endpoint: KmsEndpoint }> {
  await begin(job, 'login');
  const endpoint = await requireKms(job.services);
  const { server_sha256 } = inputOf(job);
  if (endpoint.certificate.sha256 !== server_sha256) {
    const changed = `The KMIP server has another certificate than was reviewed: ${endpoint.certificate.sha256} now, ${server_sha256} then.`;
    throw new Problem('state_conflict', `${changed} Go through the steps again.`);
  }
  const vcenter = await openVcenter(job);
  await end(job, 'login', vcenter.title);
  return { vcenter, endpoint };
}

async function work(job: JobRun, vcenter: Vcenter, endpoint: KmsEndpoint): Promise<KeyProviderResult> {
  const scene = { job, vcenter, endpoint };
  const { target, cluster, make_default } = inputOf(job);
  const registered = await readProviders(scene);
  if (!registered) await register(scene);
  else if (!(await job.succeeded('register'))) await job.endTask('register', 'succeeded');
  await exchangeTrust(scene);
  await letVcenterIn(scene);
  const status = await awaitConnected(scene);
  await becomeDefault(scene);
  const { client_id, provider_id, provider_name } = keptIn(job.kept).let_in!;
  const here = { provider_id, provider: provider_name, client_id };
  return { server: serverText(target), vcenter: vcenter.title, cluster, ...here, status, is_default: make_default };
}
