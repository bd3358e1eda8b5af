// One target of a run: leftovers of earlier runs go, the copy is made and verified and written down, and then copies that are
// over go.
import { instant } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import { hasEnded } from '../../../kernel/jobs/job.ts';
import type { JobRun } from '../../../kernel/jobs/run.ts';
import { addCopy, copiesAt, forgetCopy } from './copies.ts';
import type { Schedule } from './document.ts';
import { isCopyName, jobOfPart, partName } from './names.ts';
import { copyVerified } from './places/copy.ts';
import { openPlace } from './places/open.ts';
import type { Made, OpenPlace } from './places/place.ts';
import { overdue } from './retention.ts';
import type { Target } from './target.ts';

/** Temporary files that one run removes. */
const SWEPT_AT_ONCE = 100;

interface Outcome {
  ok: boolean;
  /** What was not done although the copy is there. */
  warning: string | null;
}

/** Never throws for a target that fails; only for the end of the job. */
export async function copyTo(
  job: JobRun,
  task: string,
  target: Target,
  made: Made,
  schedule: Schedule,
): Promise<Outcome> {
  const { services } = job;
  try {
    const place = await openPlace(services, target, job.signal);
    try {
      await sweep(job, task, target, place);
      await copyVerified(place, { name: made.name, part: partName(made.name, job.id) }, made, job.signal);
      job.stopIfFenced();
      await record(job, target, made);
      await job.say(task, `${made.name} was read back there and is the same`, { kind: 'probe', ok: true });
      const warning = await retain(job, task, target, place, schedule);
      await job.endTask(task, 'succeeded');
      return { ok: true, warning };
    } finally {
      await place.close().catch(() => undefined);
    }
  } catch (error) {
    job.signal.throwIfAborted();
    job.stopIfFenced();
    await job.say(task, wordsOf(job, error), { ok: false });
    await job.endTask(task, 'failed');
    return { ok: false, warning: null };
  }
}

/** Nothing of an error that was not foreseen is shown: it may carry what was sent. */
function wordsOf({ services, id }: JobRun, error: unknown): string {
  if (error instanceof Problem) return error.message;
  const { name, code } = error as NodeJS.ErrnoException;
  services.logger.error('a copy of an archive failed', { job_id: id, failure: { name, code } });
  return 'It failed unexpectedly. The log of the service says more under the id of this job.';
}

/** Unfinished files of jobs that are over and of this one, and copies of this job that nobody has written down. */
async function sweep(job: JobRun, task: string, { id }: Target, place: OpenPlace): Promise<void> {
  const { store } = job.services;
  const { cut_off = [] } = job.kept as { cut_off?: string[] };
  const known = new Set((await copiesAt(store, id)).map(({ name }) => name));
  const left = cut_off.filter((name) => !known.has(name));
  for (const name of (await place.names?.()) ?? []) {
    if (left.length >= SWEPT_AT_ONCE) break;
    const owner = jobOfPart(name);
    if (owner !== null && (owner === job.id || (await hasEnded(store, owner)))) left.push(name);
  }
  for (const name of left) await place.remove(name);
  if (left.length > 0) await job.say(task, `What earlier runs left unfinished there was removed: ${left.length} files`);
}

async function record({ services, id }: JobRun, { id: target_id }: Target, made: Made): Promise<void> {
  const { name, size_bytes, sha256, made_at } = made;
  const verified_at = instant(services.clock.now());
  const copy = { target_id, name, size_bytes, sha256, made_at, verified_at, job_id: id };
  await services.store.write((tx) => addCopy(tx, services, copy));
}

/** Copies that were verified here alone, by their names: what else lies there is left alone. */
async function retain(
  job: JobRun,
  task: string,
  { id }: Target,
  place: OpenPlace,
  schedule: Schedule,
): Promise<string | null> {
  const { store } = job.services;
  const over = overdue(await copiesAt(store, id), schedule).filter(({ name }) => isCopyName(name));
  let deleted = 0;
  try {
    for (const copy of over) {
      job.stopIfFenced();
      await place.remove(copy.name);
      await store.write((tx) => forgetCopy(tx, copy.id));
      deleted += 1;
    }
  } catch (error) {
    job.signal.throwIfAborted();
    job.stopIfFenced();
    const warning = `Copies that are over could not be deleted. ${wordsOf(job, error)}`;
    await job.say(task, warning, { ok: true, warning: true });
    return warning;
  }
  if (deleted > 0) await job.say(task, `${deleted} copies were over and were deleted`, { kind: 'write', ok: true });
  return null;
}
