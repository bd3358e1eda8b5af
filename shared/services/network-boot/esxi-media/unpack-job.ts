// Unpacking as a durable job: the image is read, its files are copied, and the medium is ready or has a fault. After a
// kill the job begins again, or finds its work done.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { instant } from '../../../ground/clock.ts';
import { openOwn } from '../../../ground/machine/own-file.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import { queueJob } from '../../../kernel/jobs/job.ts';
import type { JobRun } from '../../../kernel/jobs/run.ts';
import type { JobKind } from '../../../kernel/jobs/runner.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { openImport } from './import-folder.ts';
import { openIso } from './iso9660.ts';
import { MediaFault } from './limits.ts';
import { unpackingFolder, uploadPath } from './media-folder.ts';
import { keepFailed, keepReady, type MediumProgress, mediumProgress, UPLOADED } from './medium-store.ts';
import { unpack } from './unpack.ts';
import { dropUpload } from './upload.ts';

const KIND = 'unpack-medium';
const READ = 'read';
const UNPACK = 'unpack';

/** Queues the job in the caller's transaction. `sha256`: of the image, hexadecimal; null: not compared. */
export async function queueUnpacking(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  { id, sha256, by }: { id: string; sha256: string | null; by: string },
): Promise<string> {
  return queueJob(tx, clock.now(), entropy, {
    kind: KIND,
    subject: id,
    input: { sha256 },
    created_by: by,
    tasks: [
      { name: READ, title: 'Read the image' },
      { name: UNPACK, title: 'Unpack its files' },
    ],
  });
}

export const unpackJob: JobKind = {
  kind: KIND,
  says: () => 'Unpack an ESX image',
  async run(job) {
    const id = job.job.subject!;
    const medium = await mediumProgress(job.services.store, id);
    try {
      return await unpackOf(job, medium);
    } catch (error) {
      const refused = error instanceof MediaFault ? new Problem('state_conflict', error.message) : error;
      if (refused instanceof Problem) await fail(job, refused.message);
      throw refused;
    }
  },
  async ended(job, outcome) {
    const tx = job.transaction!;
    const { clock, keys } = job.services;
    const id = job.job.subject!;
    if (outcome === 'cancelled') await keepFailed(tx, clock, id, 'Unpacking was cancelled.');
    if (outcome === 'failed') await keepFailed(tx, clock, id, 'Unpacking failed; see the service log.');
    const at = instant(clock.now());
    const context = { at, actor: systemActor('media'), request_id: job.id, source_address: '' };
    const detail = { job_id: job.id, queued_by: job.job.created_by };
    const action = `network-boot.medium.${outcome === 'succeeded' ? 'ready' : 'failed'}`;
    const event = { action, resource_type: 'network-boot.medium', resource_id: id, detail };
    const success = outcome === 'succeeded';
    // An apply that was queued meanwhile may hold the lock and wait for this job.
    await appendAudit(tx, keys, context, { ...event, outcome: success ? 'success' : 'failure' }, { holdsLock: true });
  },
  async swept({ job, services }) {
    await dropUpload(services.host, job.subject!);
    await rm(unpackingFolder(services.host, job.subject!), { recursive: true, force: true });
  },
};

async function fail({ services, job }: JobRun, fault: string): Promise<void> {
  await services.store.write((tx) => keepFailed(tx, services.clock, job.subject!, fault));
}

async function unpackOf(job: JobRun, { id, source }: MediumProgress): Promise<Record<string, unknown>> {
  const { host, settings, clock, store } = job.services;
  await job.startTask(READ);
  const { sha256 } = job.job.input as { sha256: string | null };
  if (source === UPLOADED && sha256 !== null) await compare(job, uploadPath(host, id), sha256);
  const opened = source === UPLOADED ? await openIso(uploadPath(host, id)) : await openImport(settings.data, source);
  try {
    await job.endTask(READ, 'succeeded');
    await job.startTask(UNPACK);
    const medium = await unpack(opened, { host, id, progress: quarters(job) });
    await store.write((tx) => keepReady(tx, clock, id, medium));
    const { product, size_bytes, file_count, content_digest } = medium;
    await job.say(UNPACK, `${file_count} files, ${size_bytes} bytes`, { kind: 'write', ok: true });
    await job.endTask(UNPACK, 'succeeded');
    return { medium_id: id, product, size_bytes, file_count, content_digest };
  } finally {
    await opened.close();
  }
}

/** Between two files is a safe point. Progress is reported at each quarter. */
function quarters(job: JobRun): (share: number) => Promise<void> {
  let said = 0;
  return async (share) => {
    job.stopIfFenced();
    if (share < said / 4) return;
    await job.stopIfAsked();
    if (said > 0) await job.say(UNPACK, `${said * 25} %`, { kind: 'write', ok: true });
    said = Math.floor(share * 4) + 1;
  };
}

async function compare(job: JobRun, path: string, sha256: string): Promise<void> {
  const own = await openOwn(dirname(path), basename(path));
  if (own.file === null)
    throw new MediaFault('The uploaded image was changed or removed on the appliance; upload it again.');
  const hash = createHash('sha256');
  await pipeline(createReadStream('', { fd: own.file, highWaterMark: 1 << 20 }), hash);
  if (hash.digest('hex') !== sha256) throw new MediaFault('The uploaded image does not have the given SHA-256.');
  await job.say(READ, 'The image has the given SHA-256', { ok: true });
}
