// What the job does at the vCenter, step by step. Whatever changes something is noted before it is asked for, so that a
// continued job does nothing twice and a failed one knows what to take back.
import { deadlineIn } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import {
  clientRequest,
  giveClientCertificate,
  type KmipServerStatus,
  listKeyProviders,
  markDefault,
  registerServer,
  serverCertificate,
  serverStatus,
  trustServer,
} from '../vsphere/key-providers.ts';
import { inputOf, keep, keptIn, serverThere, type TaskName } from './input.ts';
import { letIn } from './let-in.ts';
import type { KmsEndpoint } from './local.ts';
import { fingerprintOf, isOurs } from './own.ts';
import { placeText, providerNamed } from './task.ts';
import type { Vcenter } from './vcenter.ts';

/** Milliseconds. Tests set others. */
export const PACE = {
  every_ms: 2_000,
  /** Until vCenter says that it is connected. */
  connect_ms: 60_000,
};

export interface Scene {
  job: JobRun;
  vcenter: Vcenter;
  endpoint: KmsEndpoint;
}

export async function begin(job: JobRun, name: TaskName): Promise<void> {
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(name);
  await job.services.checkpoint?.(`key-provider.${name}`);
}

export async function end(job: JobRun, name: TaskName, text: string): Promise<void> {
  await job.say(name, text, { ok: true });
  await job.endTask(name, 'succeeded');
}

const taken = (cluster: string, began = false): Problem =>
  new Problem(
    'already_exists',
    `The vCenter has a key provider named ${cluster} already, which ${began ? 'this job did not register, and it is' : 'is'} left alone. Choose another name.`,
  );

/** Whether it is registered already, by this job. @throws Problem 409 `already_exists` */
export async function readProviders({ job, vcenter }: Scene): Promise<boolean> {
  await begin(job, 'read');
  const { cluster } = inputOf(job);
  const found = providerNamed(await vcenter.ask((at) => listKeyProviders(at, job.signal)), cluster);
  const { registering = false } = keptIn(job.kept);
  const ours = found && registering && (await isOurs({ job, vcenter, signal: job.signal }, found));
  if (found && !ours) {
    await keep(job, { registering: false });
    throw taken(cluster, registering);
  }
  await end(job, 'read', found ? 'It was registered before this job was interrupted.' : `The name ${cluster} is free.`);
  return found !== undefined;
}

export async function register({ job, vcenter }: Scene): Promise<void> {
  await begin(job, 'register');
  const { cluster } = inputOf(job);
  const server = serverThere(job);
  await keep(job, { registering: true });
  await job.services.checkpoint?.('key-provider.registering');
  try {
    await vcenter.ask((at) => registerServer(at, cluster, server, job.signal));
  } catch (error) {
    if (!(error instanceof VsphereFault && error.reason === 'name_taken')) throw error;
    await keep(job, { registering: false });
    throw taken(cluster);
  }
  await end(job, 'register', `${placeText(server)} is a server of the key provider ${cluster}.`);
}

/** What vCenter sees has to be the certificate that was reviewed here. @throws Problem 409 `remote_refused` */
export async function exchangeTrust({ job, vcenter, endpoint }: Scene): Promise<void> {
  await begin(job, 'trust');
  const { cluster, server_sha256 } = inputOf(job);
  const server = serverThere(job);
  const seen = await vcenter
    .ask((at) => serverCertificate(at, cluster, server, job.signal))
    .catch((error) => {
      if (!(error instanceof VsphereFault)) throw error;
      throw new Problem(
        'remote_refused',
        `The vCenter can’t reach the KMIP server at ${placeText(server)}. ${error.message}`,
      );
    });
  const sha256 = fingerprintOf(seen);
  if (sha256 !== server_sha256) {
    throw new Problem(
      'remote_refused',
      `At ${placeText(server)} the vCenter sees ${sha256 === null ? 'no certificate' : `a certificate with SHA-256 ${sha256}`}; ours has ${server_sha256}. Something else answers at that address, so the vCenter was not told to trust it. Check the address, then register again.`,
    );
  }
  await vcenter.ask((at) => trustServer(at, cluster, endpoint.certificate.pem, job.signal));
  await end(job, 'trust', `It sees the certificate of the KMIP server, and trusts it: ${sha256}.`);
}

export async function letVcenterIn({ job, vcenter }: Scene): Promise<void> {
  await begin(job, 'client');
  const { cluster } = inputOf(job);
  // A second request would replace the key that the certificate is for.
  const known = keptIn(job.kept).let_in;
  const let_in = known ?? (await letIn(job, await vcenter.ask((at) => clientRequest(at, cluster, job.signal))));
  await job.services.checkpoint?.('key-provider.let-in');
  await vcenter.ask((at) => giveClientCertificate(at, cluster, let_in.pem, job.signal));
  await end(
    job,
    'client',
    `Its certificate is signed, and trusted as a client of the provider ${let_in.provider_name}.`,
  );
}

/** @throws Problem 409 `remote_refused` when it is not connected in time */
export async function awaitConnected({ job, vcenter }: Scene): Promise<string> {
  await begin(job, 'status');
  const { cluster } = inputOf(job);
  const server = serverThere(job);
  const over = deadlineIn(job.services, PACE.connect_ms);
  for (;;) {
    const status = await vcenter.ask((at) => serverStatus(at, cluster, server, job.signal));
    if (isConnected(status)) {
      await keep(job, { connected: true });
      await end(job, 'status', `The vCenter says: ${wordsOf(status)}.`);
      return wordsOf(status);
    }
    if (over()) throw notConnected(status, placeText(server));
    await job.sleep(PACE.every_ms);
  }
}

/** Yellow with trust both ways: a certificate ends soon, or the like. */
const isConnected = (status: KmipServerStatus | null): status is KmipServerStatus =>
  status?.status === 'green' ||
  (status?.status === 'yellow' && status.trusts_server === true && status.trusted_by_server === true);

const wordsOf = ({ status, said }: KmipServerStatus): string => (said === '' ? status : `${status}, ${said}`);

function notConnected(status: KmipServerStatus | null, place: string): Problem {
  const words = status === null ? 'It says nothing of it.' : `It says: ${wordsOf(status)}.`;
  const trust =
    status?.trusts_server === false
      ? ' It does not trust the KMIP server.'
      : status?.trusted_by_server === false
        ? ' It is not trusted.'
        : '';
  return new Problem(
    'remote_refused',
    `The vCenter is not connected to the KMIP server at ${place}. ${words}${trust} Check that it reaches that address and that no firewall blocks it.`,
  );
}

/** @throws Problem 409 `remote_refused`: it is connected all the same */
export async function becomeDefault({ job, vcenter }: Scene): Promise<void> {
  const { cluster, make_default } = inputOf(job);
  if (!make_default) return job.endTask('default', 'skipped');
  await begin(job, 'default');
  await vcenter
    .ask((at) => markDefault(at, cluster, job.signal))
    .catch((error) => {
      if (!(error instanceof Problem)) throw error;
      const stays = `The key provider ${cluster} is registered and connected, but not the default.`;
      throw new Problem(error.code, `${stays} ${error.message} Set it as default in the vCenter.`);
    });
  await end(job, 'default', 'New encryption takes its keys from it.');
}
