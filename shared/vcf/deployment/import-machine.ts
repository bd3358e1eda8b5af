// The import of a machine: the part of a deployment that the target rolls back when it fails. It runs under a lease,
// which is renewed during the upload and ended in any case.

import type { OvaPackage } from '../../ground/ova/types.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { createImportSpec, type ImportSpec, importMachine } from '../vsphere/import.ts';
import { type Inventory, readInventory } from '../vsphere/inventory.ts';
import {
  completeLease,
  type Lease,
  type LeaseFile,
  leaseManifest,
  leaseProgress,
  leaseState,
  waitForLease,
} from '../vsphere/lease.ts';
import type { VsphereSession } from '../vsphere/session.ts';
import { uploadClient } from '../vsphere/upload-host.ts';
import { LEASE_MOST, nameTaken, takenBy } from './clear-up.ts';
import { keptDescriptor } from './kept-descriptor.ts';
import { type Hypervisor, soundProperties } from './login.ts';
import { NO_IMPORT, note, requestOf } from './notes.ts';
import { LeasePulse, WORD_MS } from './pulse.ts';
import { type DeploymentShell, deploymentShell } from './shell.ts';
import { bytesOf, pairs, streamMembers } from './stream.ts';
import { begin, checkpoint, done, safePoint } from './tasks.ts';

/** Warnings of a target that are shown, and characters of one, at most. */
const WARNINGS_MOST = 20;
const WARNING_MOST = 500;
/** For the answer to a call that must not be broken off, after a wish to stop: milliseconds. */
const PATIENCE_MS = 20_000;
/** Until the target has created what the disks go into. */
const READY_SECONDS = 600;

export interface Importing {
  job: JobRun;
  hypervisor: Hypervisor;
  pkg: OvaPackage;
}

/** Logs in, looks for the name once more, and has the import described; nothing is created yet. */
export async function describeImport({ job, hypervisor, pkg }: Importing): Promise<ImportSpec> {
  const request = requestOf(job.job.input);
  const { name, placement, deployment_option, disk_provisioning } = request;
  await begin(job, 'spec');
  const { values } = soundProperties(job, pkg.descriptor);
  const session = await hypervisor.session();
  const { name: product, version, build } = session.about;
  await job.say('spec', `${product} ${version} build ${build}.`, { ok: true });
  const taken = await takenBy(session, request, job.signal);
  if (taken) throw nameTaken(taken.name);
  const secret = new Set(pkg.descriptor.properties.filter(({ password }) => password).map(({ key }) => key));
  const spec = await createImportSpec(
    session,
    {
      descriptor_xml: pkg.descriptor_xml,
      name,
      pool_id: placement.pool_id,
      datastore_id: placement.datastore_id,
      host_id: placement.host_id ?? undefined,
      networks: placement.networks,
      properties: values.map((one) => ({ ...one, secret: secret.has(one.key) })),
      deployment_option,
      disk_provisioning,
    },
    { signal: job.signal },
  );
  await warn(job, spec.warnings);
  await done(job, 'spec', `The target asks for ${spec.files.length} files.`.replace(' 1 files', ' one file'));
  return spec;
}

async function warn(job: JobRun, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings.slice(0, WARNINGS_MOST)) {
    job.signal.throwIfAborted();
    await job.say('spec', `The target warns: ${bounded(warning, WARNING_MOST)}`);
  }
  const more = warnings.length - WARNINGS_MOST;
  if (more > 0) await job.say('spec', `It has ${more} more to say, which are not shown.`);
}

/** Of a target, for one line. */
const bounded = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

/**
 * A signal for a call whose answer shows the state of the import: a stop aborts it only after PATIENCE_MS.
 * @returns what `work` answers
 */
async function patiently<T>(job: JobRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const asked = () => {
    timer = setTimeout(() => late.abort(job.signal.reason), PATIENCE_MS);
  };
  if (job.signal.aborted) asked();
  else job.signal.addEventListener('abort', asked, { once: true });
  try {
    return await work(late.signal);
  } finally {
    job.signal.removeEventListener('abort', asked);
    clearTimeout(timer);
  }
}

/** Creates the machine there, empty; answers the lease under which its disks are sent. */
export async function beginLease(
  { job, hypervisor }: Importing,
  spec: ImportSpec,
): Promise<{ id: string; lease: Lease }> {
  const { placement } = requestOf(job.job.input);
  await begin(job, 'lease');
  const session = await hypervisor.session();
  const folder_id = placement.folder_id ?? (await rootFolder(session, placement.datacenter_id, job.signal));
  await note(job, { importing: job.services.clock.now().toISOString(), lease: null, making: null, given_up: null });
  await checkpoint(job, 'importing');
  const choice = {
    spec_xml: spec.spec_xml,
    pool_id: placement.pool_id,
    ...(folder_id !== null && { folder_id }),
    ...(placement.host_id && { host_id: placement.host_id }),
  };
  // Without its answer nobody could end the lease.
  const id = await patiently(job, (signal) => importMachine(session, choice, { signal })).catch(async (error) => {
    // After a refusal by the target itself nothing was created. After any other error that is not known.
    if (error instanceof VsphereFault && error.fault_type !== null) await note(job, NO_IMPORT);
    throw error;
  });
  await checkpoint(job, 'imported');
  await note(job, { lease: id });
  await checkpoint(job, 'leased');
  await safePoint(job);
  const lease = await waitForLease(session, id, { signal: job.signal, seconds: READY_SECONDS });
  const lease_seconds = Math.min(lease.timeout_seconds, LEASE_MOST);
  await note(job, { making: lease.machine_id, lease_seconds });
  await done(job, 'lease', `The lease is ready; it ends after ${lease_seconds} seconds without a word.`);
  return { id, lease: { ...lease, timeout_seconds: lease_seconds } };
}

/** A vCenter needs a folder: the data center's own folder for machines. */
async function rootFolder(session: VsphereSession, datacenter_id: string, signal: AbortSignal): Promise<string | null> {
  if (session.kind === 'esxi') return null;
  const { folders } = await readInventory(session, { signal });
  return folders.find((one) => one.datacenter_id === datacenter_id && one.path === '/')?.id ?? null;
}

/** Sends the disks while the lease hears of it, then has it completed. */
export async function sendDisks(
  { job, hypervisor, pkg }: Importing,
  spec: ImportSpec,
  { id, lease }: { id: string; lease: Lease },
): Promise<void> {
  const shell = deploymentShell(job.services);
  await begin(job, 'upload');
  const session = await hypervisor.session();
  const total = bytesOf(pairs(pkg, spec.files));
  let sent = 0;
  const over = new AbortController();
  const trouble = new Trouble(job);
  const pulse = new LeasePulse({
    async say(percent) {
      await leaseProgress(session, id, percent, { signal: over.signal, timeout: WORD_MS });
      trouble.past();
    },
    percent: () => (total === 0 ? 100 : (100 * sent) / total),
    every_ms: shell.progress_ms,
    timeout_seconds: lease.timeout_seconds,
    onTrouble: (error) => trouble.told(error),
  }).start();
  try {
    await upload({ job, session, pkg, spec, id, lease, shell, pulse, total }, (bytes) => {
      sent = bytes;
    });
    await done(job, 'upload', `${total} bytes were sent, in the order that the target asked for.`);
    await begin(job, 'complete');
    await compare({ job, session, pkg, spec, id, lease });
  } finally {
    pulse.stop();
    over.abort();
  }
  await complete({ job, session, pkg, id, lease });
}

/** Reports that the lease can't be renewed: once when that begins, and a limited number of times. */
class Trouble {
  readonly #job: JobRun;
  #lasts = false;
  #left = 10;

  constructor(job: JobRun) {
    this.#job = job;
  }

  told(error: Error): void {
    if (this.#lasts || this.#left === 0) return;
    this.#lasts = true;
    this.#left--;
    void this.#job.say('upload', `The lease could not be told: ${error.message}`).catch(() => undefined);
  }

  past(): void {
    this.#lasts = false;
  }
}

interface Upload {
  job: JobRun;
  session: VsphereSession;
  pkg: OvaPackage;
  spec: ImportSpec;
  id: string;
  lease: Lease;
  shell: DeploymentShell;
  pulse: LeasePulse;
  total: number;
}

/** For a question after something failed, milliseconds. */
const ASK_MS = 10_000;
/** Pages need no more. */
const TELL_MS = 200;

async function upload(work: Upload, moved: (bytes: number) => void): Promise<void> {
  const { job, session, pkg, spec, lease, shell, pulse, total } = work;
  const signal = AbortSignal.any([job.signal, pulse.signal]);
  let told = 0;
  let known: Inventory['hosts'] | null = null;
  /** Only where the lease does not say whose certificate is right. */
  const hosts = async ({ host, thumbprint, certificate_pem }: Lease['urls'][number]) => {
    if (host === null || thumbprint !== null || certificate_pem !== null) return [];
    known ??= (await readInventory(session, { signal })).hosts;
    return known;
  };
  try {
    await streamMembers({
      pkg,
      files: spec.files,
      signal,
      async to({ device_id, path }) {
        const url = lease.urls.find(({ import_key }) => import_key === device_id);
        if (!url) throw new VsphereFault('unreadable', `The lease of the import has no place for ${path}.`);
        const { target } = requestOf(job.job.input);
        return uploadClient(job.services, target, url, {
          timeout: shell.upload_idle_ms,
          hosts: await hosts(url),
          signal,
        });
      },
      onProgress(done_bytes) {
        moved(done_bytes);
        const now = performance.now();
        if (now - told < TELL_MS && done_bytes < total) return;
        told = now;
        void job.progress('upload', { done_bytes, total_bytes: total }).catch(() => undefined);
      },
      async onSent({ path, bytes }) {
        await job.say('upload', `${path}: ${bytes} bytes.`, { ok: true });
        await checkpoint(job, 'sent');
      },
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw await betterSaid(work, error);
  }
}

/** The lease often knows better than a broken connection why nothing more is taken. */
async function betterSaid({ session, id }: Upload, error: unknown): Promise<unknown> {
  try {
    const said = (await leaseState(session, id, { signal: AbortSignal.timeout(ASK_MS) })).error;
    return said ?? error;
  } catch {
    return error;
  }
}

/** Compares the host's size and digest of a disk with those of the OVA; not every release has them. */
async function compare({
  job,
  session,
  pkg,
  spec,
  id,
  lease,
}: Omit<Upload, 'shell' | 'pulse' | 'total'>): Promise<void> {
  const entries = await leaseManifest(session, id, { signal: job.signal }).catch((error: Error) => {
    if (job.signal.aborted) throw error;
    return null;
  });
  if (!entries || entries.length === 0) {
    await job.say('complete', 'The target does not tell what it received; each byte was sent over TLS, counted.');
    return;
  }
  let compared = 0;
  for (const { file, member } of pairs(pkg, spec.files)) {
    const key = lease.urls.find(({ import_key }) => import_key === file.device_id)?.key;
    const received = entries.find((entry) => entry.key === key);
    // Chunks and packed files arrive as another file than any that the manifest lists.
    const listed =
      member.members.length === 1 && member.compression === null ? pkg.manifest.get(member.href) : undefined;
    const theirs = received && listed && sumOf(received, listed.algorithm);
    if (!theirs) continue;
    compared++;
    if (theirs !== listed.hex.toLowerCase()) throw different(file.path);
  }
  if (compared === 0) await job.say('complete', 'Its sums are of another kind than those of the manifest.');
  else await job.say('complete', `${compared} of ${spec.files.length} sums compared: the same.`, { ok: true });
}

function sumOf({ sha1, checksum }: LeaseFile, algorithm: string): string | null {
  if (checksum?.algorithm.toLowerCase().replace(/[^a-z0-9]/g, '') === algorithm) return checksum.hex;
  return algorithm === 'sha1' ? sha1 : null;
}

const different = (path: string): VsphereFault =>
  new VsphereFault('upload_refused', `The host received other bytes of ${path} than the manifest names.`);

/** From here on nothing is taken back. */
async function complete({
  job,
  session,
  pkg,
  id,
  lease,
}: Omit<Upload, 'shell' | 'pulse' | 'total' | 'spec'>): Promise<void> {
  await safePoint(job);
  const request = requestOf(job.job.input);
  const descriptor = keptDescriptor(pkg.descriptor, request) ?? undefined;
  await note(job, { completing: true, ...(descriptor && { descriptor }) });
  await checkpoint(job, 'completing');
  try {
    await patiently(job, (signal) => completeLease(session, id, { signal }));
  } catch (error) {
    // Its answer may have been lost.
    const { state } = await leaseState(session, id, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => UNKNOWN);
    if (state !== 'done') throw error;
  }
  await checkpoint(job, 'completed');
  await note(job, { machine: lease.machine_id, ...NO_IMPORT });
  await checkpoint(job, 'made');
  await done(job, 'complete', `The import is complete: ${request.name} exists, switched off.`);
}

const UNKNOWN = { state: null } as const;
