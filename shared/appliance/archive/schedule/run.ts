// A run of the schedule: one archive, and a verified copy of it at each target that has none of this run yet. A target that
// fails keeps no other from its copy; the job says which has none. A run that was cut off begins again with a new archive.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { instant } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { JobRun } from '../../../kernel/jobs/run.ts';
import { archiveFolder } from '../kept.ts';
import { makeArchive } from '../make.ts';
import { makeScratch } from '../scratch.ts';
import { isKnown } from './copies.ts';
import { readSchedule, type Schedule } from './document.ts';
import { copyName } from './names.ts';
import type { Made } from './places/place.ts';
import { allTargets } from './target-store.ts';
import { MAKE_TASK, targetOf } from './tasks.ts';
import { copyTo } from './to-target.ts';

/** Bytes of an archive that the schedule makes: it lies on the disk of the database until all copies are there. */
export const SCHEDULED_BYTES_MOST = 2 * 2 ** 30;

export interface RunResult {
  archive: string;
  size_bytes: number;
  sha256: string;
  /** Names of targets. */
  verified: string[];
  warnings: string[];
}

/** @throws Problem 409 that names the targets without a copy */
export async function runSchedule(job: JobRun): Promise<RunResult> {
  const { services } = job;
  const scratch = await makeScratch(archiveFolder(services.settings));
  try {
    const schedule = await readSchedule(services.store);
    const made = await make(job, join(scratch, 'archive'), schedule);
    const { verified, failed, warnings } = await copyToAll(job, made, schedule);
    if (failed.length > 0) {
      const others = verified.length > 0 ? ` Verified copies: ${verified.join(', ')}.` : '';
      throw new Problem('copies_unverified', `No verified copy of ${made.name} at: ${failed.join(', ')}.${others}`);
    }
    return { archive: made.name, size_bytes: made.size_bytes, sha256: made.sha256, verified, warnings };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function make(job: JobRun, file: string, { recipients }: Schedule): Promise<Made> {
  const { services } = job;
  await job.startTask(MAKE_TASK);
  const name = await freeName(job);
  const made_at = instant(services.clock.now());
  if (recipients.length === 0) throw new Problem('state_conflict', 'The schedule has no recipient any more.');
  const { size_bytes, sha256 } = await write(job, file, recipients).catch(orFull);
  // Of a run that was cut off, a copy may lie at a target that nobody has written down.
  const { archive, cut_off = [] } = job.kept as { archive?: { name: string }; cut_off?: string[] };
  await job.keep({
    archive: { name, size_bytes, sha256 },
    cut_off: [...cut_off, ...(archive ? [archive.name] : [])],
  });
  await job.say(MAKE_TASK, `${name}, ${size_bytes} bytes, SHA-256 ${sha256}`, { kind: 'write', ok: true });
  await job.endTask(MAKE_TASK, 'succeeded');
  return { name, made_at, size_bytes, sha256, bytes: () => createReadStream(file) };
}

/** Names have their second in them: a run within the same one as another must not take its name. */
async function freeName(job: JobRun): Promise<string> {
  const { services } = job;
  for (let tries = 0; tries < 3; tries += 1) {
    const name = copyName(services);
    if (!(await isKnown(services.store, name))) return name;
    await job.sleep(1000);
  }
  throw new Problem('state_conflict', 'A copy of this very second is there already. Run it again.');
}

async function write(job: JobRun, file: string, recipients: readonly string[]) {
  const hash = createHash('sha256');
  let size_bytes = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of makeArchive(job.services, job.job.created_by, { recipients })) {
      job.signal.throwIfAborted();
      size_bytes += piece.length;
      if (size_bytes > SCHEDULED_BYTES_MOST) {
        const detail = `The archive would have more than ${SCHEDULED_BYTES_MOST / 2 ** 30} GiB. Make it on the shell: groundcrew archive create.`;
        throw new Problem('state_conflict', detail);
      }
      hash.update(piece);
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return { size_bytes, sha256: hash.digest('hex') };
}

function orFull(error: unknown): never {
  const full = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes((error as NodeJS.ErrnoException).code ?? '');
  throw full ? new Problem('storage_full', 'The disk of the appliance has no room for the archive.') : error;
}

async function copyToAll(job: JobRun, made: Made, schedule: Schedule) {
  const targets = new Map((await allTargets(job.services.store)).map((target) => [target.id, target]));
  const [verified, failed, warnings]: [string[], string[], string[]] = [[], [], []];
  for (const { name: task, state } of await job.tasks()) {
    const id = targetOf(task);
    if (id === null) continue;
    const target = targets.get(id);
    if (target && state === 'succeeded') {
      verified.push(target.name);
      continue;
    }
    await job.stopIfAsked();
    await job.startTask(task);
    if (!target?.enabled) {
      await job.say(task, 'The target was deleted or is out of use since.');
      await job.endTask(task, 'skipped');
      continue;
    }
    const { ok, warning } = await copyTo(job, task, target, made, schedule);
    (ok ? verified : failed).push(target.name);
    if (warning !== null) warnings.push(`${target.name}: ${warning}`);
  }
  return { verified, failed, warnings };
}
