// Completing an upload as a durable job: its bytes are hashed and compared, then the file gets its name in the depot in
// one step. After a kill the job begins again, or finds its work done; a failed job leaves all bytes where they are.
import { createHash } from 'node:crypto';
import { type FileHandle, link, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { instant } from '../../../ground/clock.ts';
import { syncFolder } from '../../../ground/machine/durable-file.ts';
import { openOwn } from '../../../ground/machine/own-file.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { systemActor } from '../../../kernel/access/actor.ts';
import { appendAudit } from '../../../kernel/audit/audit.ts';
import { queueJob } from '../../../kernel/jobs/job.ts';
import type { JobKind } from '../../../kernel/jobs/kind.ts';
import type { JobRun } from '../../../kernel/jobs/run.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { refuseRead } from '../appliances/appliance-readers.ts';
import { applianceFolder, depotStore, depotUploadPath, makeApplianceFolder } from '../store.ts';
import { fileExists } from './upload.ts';
import { endCompleting, findUpload, type UploadRow } from './upload-store.ts';

const KIND = 'depot-upload';
const HASH = 'hash';
const PLACE = 'place';

/** Queues it in the caller's transaction. */
export function queueCompleting(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  { id, by }: { id: string; by: string },
): Promise<string> {
  return queueJob(tx, clock.now(), entropy, {
    kind: KIND,
    subject: id,
    input: {},
    created_by: by,
    tasks: [
      { name: HASH, title: 'Compare the uploaded bytes' },
      { name: PLACE, title: 'Put the file into the depot' },
    ],
  });
}

export const uploadJob: JobKind = {
  kind: KIND,
  says: () => 'Put an uploaded file into the depot',
  lane: 'files',
  async run(job) {
    const { host, store } = job.services;
    const upload = await findUpload(store, job.job.subject!);
    const from = depotUploadPath(host, upload.id);
    const { sha256 } = (await isPlaced(job, from))
      ? (job.kept as { sha256: string })
      : await compared(job, upload, from);
    await job.startTask(PLACE);
    const replaced = await placed(job, upload, from);
    const said = replaced ? 'It replaced the file of this name' : 'It is in the depot';
    await job.say(PLACE, said, { kind: 'write', ok: true });
    await job.endTask(PLACE, 'succeeded');
    return { upload_id: upload.id, file: upload.name, size_bytes: upload.size_bytes, sha256 };
  },
  async ended(job, outcome) {
    const tx = job.transaction!;
    const { clock, keys } = job.services;
    const id = job.job.subject!;
    const { name, size_bytes } = await findUpload(tx, id);
    await endCompleting(tx, clock, { id, state: outcome === 'succeeded' ? 'done' : 'receiving' });
    const context = {
      at: instant(clock.now()),
      actor: systemActor('depot'),
      request_id: job.id,
      source_address: '',
    };
    const success = outcome === 'succeeded';
    const { sha256 = null } = job.kept as { sha256?: string };
    const detail = { file: name, size_bytes, sha256, job_id: job.id, queued_by: job.job.created_by };
    const action = `depot.upload.${success ? 'done' : 'failed'}`;
    const event = { action, resource_type: 'depot.upload', resource_id: id, detail };
    await appendAudit(tx, keys, context, { ...event, outcome: success ? 'success' : 'failure' }, { holdsLock: true });
  },
};

/**
 * Whether an earlier run has hashed the bytes and given them their name: they are not in the folder of uploads any
 * more.
 */
async function isPlaced(job: JobRun, from: string): Promise<boolean> {
  return typeof job.kept.sha256 === 'string' && (await lstat(from).catch(() => null)) === null;
}

const NO_BYTES = 'The bytes of this upload are gone. Upload the file again.';
const NO_FILE =
  'The bytes of this upload were replaced by something else on the disk. Remove the upload and upload the file again.';

async function compared(job: JobRun, upload: UploadRow, from: string): Promise<{ sha256: string }> {
  await job.startTask(HASH);
  const { host } = job.services;
  // The file may have its name already, when an earlier run was cut off between link and unlink.
  const named = join(applianceFolder(host), upload.name);
  const own = await openOwn(depotStore(host), relative(depotStore(host), from), named);
  if (own.file === null) throw new Problem('state_conflict', own.is === 'missing' ? NO_BYTES : NO_FILE);
  const { file } = own;
  try {
    const { size } = own.stats;
    if (size !== upload.size_bytes) {
      throw new Problem('state_conflict', `${size} of ${upload.size_bytes} bytes are there; send the rest first.`);
    }
    const sha256 = await hashed(job, file, size);
    if (upload.sha256 !== null && upload.sha256 !== sha256) {
      throw new Problem(
        'state_conflict',
        `The file that arrived has the SHA-256 ${sha256}, not the one that was said. Complete it with the right SHA-256, or remove it and upload the right file.`,
      );
    }
    await job.say(HASH, `SHA-256 ${sha256}${upload.sha256 === null ? '' : ', as it was said'}`, { ok: true });
    await file.chmod(0o644);
    await file.sync();
    await job.services.checkpoint?.('depot-upload.hashed');
    await job.keep({ sha256 });
    await job.services.checkpoint?.('depot-upload.kept');
    await job.endTask(HASH, 'succeeded');
    return { sha256 };
  } finally {
    await file.close();
  }
}

const READ_BYTES = 1 << 20;

/** Two buffers: one is read while the other is hashed. */
async function hashed(job: JobRun, file: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const [one, other] = [Buffer.allocUnsafe(READ_BYTES), Buffer.allocUnsafe(READ_BYTES)];
  let next = file.read(one, 0, READ_BYTES, 0);
  for (let done = 0, turn = 1; done < size; turn++) {
    const { bytesRead, buffer } = await next;
    if (bytesRead === 0) throw new Error('an upload became shorter while it was hashed');
    job.signal.throwIfAborted();
    next = file.read(turn % 2 === 0 ? one : other, 0, READ_BYTES, done + bytesRead);
    hash.update(buffer.subarray(0, bytesRead));
    done += bytesRead;
    await job.progress(HASH, { done_bytes: done, total_bytes: size });
  }
  await next;
  return hash.digest('hex');
}

/**
 * Gives the file its name. Without `overwrite` the same step also requires that the name is free: two uploads that end
 * at once can't both get it. True when a file was replaced.
 */
async function placed(job: JobRun, upload: UploadRow, from: string): Promise<boolean> {
  const { host, store } = job.services;
  const target = join(applianceFolder(host), upload.name);
  const ours = await lstat(from).catch(() => null);
  let replaced = false;
  if (ours !== null) {
    if (!ours.isFile()) throw new Problem('state_conflict', NO_FILE);
    job.stopIfFenced();
    await makeApplianceFolder(host);
    const there = await lstat(target).catch(() => null);
    const same = there !== null && there.ino === ours.ino && there.dev === ours.dev;
    replaced = there !== null && !same;
    if (replaced && upload.overwrite) await refuseRead(store, upload.name);
    await job.services.checkpoint?.('depot-upload.place');
    if (upload.overwrite && !same) await rename(from, target);
    else if (!same) await linked(from, target, upload.name);
    await job.services.checkpoint?.('depot-upload.placed');
    await syncFolder(dirname(target));
    await rm(from, { force: true });
    await job.services.checkpoint?.('depot-upload.moved');
  }
  await syncFolder(dirname(target));
  return replaced;
}

async function linked(from: string, target: string, name: string): Promise<void> {
  await link(from, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw fileExists(name);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
    // A file system without hard links needs two steps; another upload of this name may be between them.
    if ((await lstat(target).catch(() => null)) !== null) throw fileExists(name);
    await rename(from, target);
  });
}
