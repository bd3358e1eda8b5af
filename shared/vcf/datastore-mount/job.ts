// Mounting on hosts as a durable job. Each host is a step of its own: one that refuses leaves the others as they are, and is told
// with its reason. What a host has already is no failure, so that a job which was interrupted goes on where it was.
import { Problem } from '../../ground/problems.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobKind } from '../../kernel/jobs/kind.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { clientFor } from '../connection/reach.ts';
import { serverText } from '../connection/target.ts';
import { LOGIN_FIELDS, typedLogin } from '../remote/login-fields.ts';
import { jobContext, openJobLogin } from '../remote/stored-login.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { isSameNas, mountNas, type NasHost, nasHosts, otherVersion, unmountNas } from '../vsphere/nas-datastores.ts';
import { openVsphere, type VsphereSession } from '../vsphere/session.ts';
import { hostTask, inputOf, MOUNT_KIND, type MountInput } from './input.ts';
import { MOUNT_TASK, taskHref } from './task.ts';

export interface MountResult {
  server: string;
  action: MountInput['action'];
  datastore: string;
  /** What came of each host; null: it was done. */
  hosts: { name: string; error: string | null }[];
}

export const mountJob: JobKind = {
  kind: MOUNT_KIND,
  says: (subject) => `Mount a datastore by ${subject}`,
  page: ({ id }) => ({ href: taskHref(id), label: 'Mounting' }),
  lane: 'remote',
  stops: MOUNT_TASK.scope,
  keepsSucceeded: true,
  continuesAfter: [
    'remote_unreachable',
    'remote_timeout',
    'remote_not_ready',
    'remote_answer_unusable',
    'remote_refused',
  ],
  continues: () => ({ scope: MOUNT_TASK.scope, fields: LOGIN_FIELDS }),
  // A stored login of somebody who chose it is not used for somebody who types another one.
  continuedInput: (input) => ({ ...input, stored: null }),
  async run(job): Promise<MountResult> {
    await job.startTask('login');
    const login = await credentialOf(job);
    const client = await clientFor(job.services, inputOf(job).target);
    try {
      const session = await openVsphere(client, login, { signal: job.signal });
      try {
        return await work(job, session);
      } finally {
        await session.logout().catch(() => undefined);
      }
    } finally {
      client.close();
    }
  },
  async ended(job, outcome) {
    const { target, action, datastore, hosts } = inputOf(job);
    await appendAudit(
      job.transaction!,
      job.services.keys,
      jobContext(job),
      {
        action: `remote.datastore.${action}`,
        resource_type: 'remote_target',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: {
          ...{ job_id: job.id, server: serverText(target), datastore: datastore.name, ended: outcome },
          ...{ nfs: `${datastore.server}:${datastore.path}`, hosts: hosts.map(({ name }) => name) },
        },
      },
      { holdsLock: true },
    );
  },
};

/** The login typed for this job; else the stored credential, whose use is recorded. */
async function credentialOf(job: JobRun): Promise<ApplianceCredential> {
  const { target, stored } = inputOf(job);
  const typed = typedLogin(job);
  if (typed) return typed;
  if (stored) return openJobLogin(job, stored, target, MOUNT_TASK.purpose);
  throw new Problem(
    'remote_credential_gone',
    'The typed password was kept in memory only: the service was restarted, or half an hour went by. Enter the login again to continue; what was done stays done.',
  );
}

async function work(job: JobRun, session: VsphereSession): Promise<MountResult> {
  const { target, action, datastore, hosts } = inputOf(job);
  const found = await nasHosts(session, job.signal);
  const { name, version } = session.about;
  await job.say('login', `${name} ${version}`, { ok: true });
  if (action === 'mount') refuseOtherVersion(found, datastore);
  await job.endTask('login', 'succeeded');
  const results: MountResult['hosts'] = [];
  for (const [at, host] of hosts.entries()) {
    const there = found.find(({ id }) => id === host.id);
    results.push({ name: host.name, error: await ofHost(job, session, hostTask(at), there) });
  }
  const failed = results.filter(({ error }) => error !== null);
  if (failed.length > 0) throw notAll(action, results.length, failed);
  return { server: serverText(target), action, datastore: datastore.name, hosts: results };
}

/** @throws Problem while any host of this server, chosen or not, has it mounted over the other version */
function refuseOtherVersion(found: readonly NasHost[], datastore: MountInput['datastore']): void {
  const other = otherVersion(found, datastore);
  if (other === null) return;
  throw new Problem(
    'remote_refused',
    `The host ${other.host} has ${datastore.name} mounted over NFS ${other.version}, and it is to be mounted over NFS ${datastore.version}. Hosts that use both versions do not see each other’s locks, which damages virtual machines. Unmount it there first.`,
  );
}

/** What a host refuses is told, and the next one is asked. @throws Problem of the connection, of the login */
async function ofHost(
  job: JobRun,
  session: VsphereSession,
  task: string,
  host: NasHost | undefined,
): Promise<string | null> {
  if (await job.succeeded(task)) return null;
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(task);
  try {
    await job.say(task, await atHost(job, session, host), { ok: true });
    await job.endTask(task, 'succeeded');
    return null;
  } catch (error) {
    if (!(error instanceof VsphereFault) || error.reason === 'session_lost') throw error;
    await job.say(task, error.message, { ok: false });
    await job.endTask(task, 'failed');
    return error.message;
  }
}

/** Answers what it did. */
async function atHost(job: JobRun, session: VsphereSession, host: NasHost | undefined): Promise<string> {
  const { action, datastore } = inputOf(job);
  if (!host) throw new VsphereFault('gone', 'The host is not in the inventory any more.');
  if (host.system === '')
    throw new VsphereFault('not_permitted', 'The account may not manage datastores of this host.');
  const mounted = host.mounts.find((mount) => isSameNas(mount, datastore));
  if (action === 'mount') {
    if (mounted) return `It has it mounted already, as ${mounted.name}.`;
    await mountNas(session, host.system, datastore, job.signal);
    return `Mounted as ${datastore.name}.`;
  }
  if (!mounted) return 'It has not mounted it.';
  await unmountNas(session, host.system, mounted, job.signal);
  return `Unmounted ${mounted.name}.`;
}

function notAll(action: MountInput['action'], all: number, failed: MountResult['hosts']): Problem {
  const [first] = failed;
  const what = action === 'mount' ? 'mount it' : 'unmount it';
  const rest =
    failed.length > 1
      ? ` Others: ${failed
          .slice(1)
          .map(({ name }) => name)
          .join(', ')}.`
      : '';
  return new Problem(
    'remote_refused',
    `${failed.length} of ${all} hosts did not ${what}. ${first!.name}: ${first!.error}${rest}${failed.length < all ? ' The others are done.' : ''}`,
  );
}
