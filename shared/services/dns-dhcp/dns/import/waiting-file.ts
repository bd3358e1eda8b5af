// The file of an import until its job has ended: for the service alone, whole on the disk before the job is queued.
import { createHash, type Hash } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { newId } from '../../../../ground/clock.ts';
import { syncFolder } from '../../../../ground/machine/durable-file.ts';
import { Problem } from '../../../../ground/problems.ts';
import { openJobsAbout } from '../../../../kernel/jobs/job.ts';
import type { Services } from '../../../../kernel/operation/services.ts';
import { refuseFull } from '../../../../platform/uploads/room.ts';
import { PREVIEWED_KEPT } from './limits.ts';

const FOLDER = 'imports';
/** Names of such files. */
export const NAME = /^import_[a-z0-9]{1,40}\.rows$/;
/** Bytes that are hashed and written in one go. */
const PIECE = 1 << 20;
/** Milliseconds after which a file without a job is nobody's: its request was cut off, or its preview left alone. */
const ABANDONED = 3_600_000;

export interface WaitingFile {
  name: string;
  size_bytes: number;
  sha256: string;
}

type Needed = Pick<Services, 'settings' | 'store' | 'entropy' | 'clock'>;

const folderOf = ({ data }: Services['settings']): string => join(data, FOLDER);

/** @throws Problem 507 when it does not fit */
export async function keepFile(services: Needed, bytes: Buffer): Promise<WaitingFile> {
  const folder = folderOf(services.settings);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepAbandoned(services, folder);
  await refuseFull(folder, bytes.length, NO_ROOM);
  const name = `${newId('import', services.entropy)}.rows`;
  const path = join(folder, name);
  try {
    const sha256 = await written(path, bytes);
    await syncFolder(folder);
    return { name, size_bytes: bytes.length, sha256 };
  } catch (error) {
    await rm(path, { force: true });
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw full ? new Problem('storage_full', NO_ROOM, { retry_after: 30 }) : error;
  }
}

const NO_ROOM = 'The disk has no room for this file. Nothing was saved.';

async function written(path: string, bytes: Buffer): Promise<string> {
  const hash: Hash = createHash('sha256');
  const handle = await open(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      hash.update(piece);
      await handle.writeFile(piece);
      await othersTurn();
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

/** @throws Problem 409 when it is gone */
export function bytesOfFile({ settings }: Pick<Services, 'settings'>, name: string): Promise<Buffer> {
  return readFile(join(folderOf(settings), named(name))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Problem('state_conflict', 'The file of this import is gone. Send it again.');
    throw error;
  });
}

/** A file that was kept before, as it is now. @throws Problem 409 when it is gone */
export async function keptFile(services: Pick<Services, 'settings'>, name: string): Promise<WaitingFile> {
  const bytes = await bytesOfFile(services, name);
  return { name, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** @throws Problem 409 when it is gone; 422 when it is no UTF-8 */
export async function textOfFile(services: Pick<Services, 'settings'>, name: string): Promise<string> {
  const bytes = await bytesOfFile(services, name);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += PIECE) {
      parts.push(decoder.decode(bytes.subarray(at, at + PIECE), { stream: at + PIECE < bytes.length }));
      await othersTurn();
    }
  } catch {
    throw new Problem('request_validation_failed', 'The file is not UTF-8 text. Save it as UTF-8, and send it again.');
  }
  return parts.join('');
}

export const dropFile = ({ settings }: Pick<Services, 'settings'>, name: string): Promise<void> =>
  rm(join(folderOf(settings), named(name)), { force: true });

/** The name comes from the input of a job, which an archive or another release may have written. */
function named(name: string): string {
  if (!NAME.test(name)) throw new Error('the file of an import has another name');
  return name;
}

/** Those that no job has: all that are old, and of the others all but the last ones. */
async function sweepAbandoned({ store, clock }: Needed, folder: string): Promise<void> {
  const nobodys: { name: string; age: number }[] = [];
  for (const name of (await readdir(folder)).filter((each) => NAME.test(each))) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found === null || (await openJobsAbout(store, '$.file.name', name)).length > 0) continue;
    nobodys.push({ name, age: Math.abs(clock.now().getTime() - found.mtimeMs) });
  }
  const last = nobodys.toSorted((one, other) => one.age - other.age);
  for (const [at, { name, age }] of last.entries()) {
    if (at >= PREVIEWED_KEPT - 1 || age >= ABANDONED) await rm(join(folder, name), { force: true });
  }
}
