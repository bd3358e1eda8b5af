// The synchronisation of an appliance with its depot: started, and followed to its end through restarts on both sides.
import { millisecondsLeft } from '../../ground/clock.ts';
import { deadlineIn } from '../../ground/machine/uptime.ts';
import { Problem } from '../../ground/problems.ts';
import {
  isFresh,
  readSync,
  SYNC_FAILED,
  SYNCED,
  type SyncInfo,
  type SyncWatch,
  startSync,
  watched,
  watchFrom,
} from '../vcf-api/depot.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import type { Submitted } from '../vcf-api/scrub.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { PACE, Patience, patiently, type Waiting } from './patience.ts';
import { failedSync } from './words.ts';

const TASK = 'sync';

/** The stored state. Times in milliseconds since 1970. */
interface Kept {
  watch: SyncWatch;
  begun: number;
  started: boolean;
}

interface Scene extends Waiting {
  session: ApplianceSession;
  /** What the words of the appliance must not repeat. */
  submitted: Submitted;
}

/** @throws Problem `remote_refused` with the appliance's message, `remote_timeout` after 60 minutes */
export async function synchronise(scene: Scene): Promise<void> {
  const kept = await started(scene);
  await scene.job.services.checkpoint?.('remote-depot.synchronising');
  await follow(scene, kept);
}

/** A synchronisation without success is over: a continued job starts a new one. */
async function over({ job }: Scene, fault: Problem): Promise<never> {
  await job.keep({ remote_depot_sync: null });
  throw fault;
}

const save = async ({ job }: Scene, kept: Kept): Promise<Kept> => {
  await job.keep({ remote_depot_sync: kept });
  return kept;
};

async function started(scene: Scene): Promise<Kept> {
  const { job, session, signal, submitted } = scene;
  let kept = job.kept.remote_depot_sync as Kept | null | undefined;
  if (kept?.started) {
    await job.say(TASK, 'Goes on from before: the synchronisation was started already.');
    return kept;
  }
  if (!kept) {
    const watch = watchFrom(await patiently(scene, TASK, () => readSync(session, signal, submitted)));
    kept = await save(scene, { watch, begun: job.services.clock.now().getTime(), started: false });
  }
  const answer = await patiently(scene, TASK, () => start(scene));
  await job.say(TASK, 'Started: the appliance fetches the metadata of the depot.', { ok: true });
  return save(scene, { ...kept, started: true, watch: answer ? watched(kept.watch, answer) : kept.watch });
}

/** `SYNCING` and the like, not `NOT_SYNCED`. */
const UNDER_WAY = /(?:ING|PROGRESS)$/;

/** One that runs already is as good. */
async function start({ session, signal, submitted }: Scene): Promise<SyncInfo | null> {
  try {
    return await startSync(session, signal, submitted);
  } catch (error) {
    if (!(error instanceof ApplianceFault) || error.reason !== 'refused') throw error;
    const info = await readSync(session, signal, submitted);
    if (!UNDER_WAY.test(info.status)) throw error;
    return info;
  }
}

const isEnd = ({ status }: SyncInfo): boolean => status === SYNCED || status === SYNC_FAILED;

async function follow(scene: Scene, kept: Kept): Promise<void> {
  const { job, session, signal, submitted } = scene;
  const patience = new Patience(job, TASK);
  // A run that is continued hours later waits as long as the first one.
  const tooLong = deadlineIn(job.services, PACE.sync_ms);
  const oldAfter = millisecondsLeft(kept.begun, job.services.clock.now(), PACE.old_failure_ms);
  const isOld = deadlineIn(job.services, oldAfter);
  let { watch } = kept;
  let last = '';
  for (;;) {
    const info = await readSync(session, signal, submitted).catch((error) => patience.bear(error, signal));
    const now = job.services.clock.now().getTime();
    if (info) {
      await patience.answered();
      const next = watched(watch, info);
      if (next !== watch) await save(scene, { ...kept, started: true, watch: next });
      watch = next;
      if (isFresh(watch, info)) return ended(scene, info, now - kept.begun);
      if (info.status === SYNC_FAILED && isOld()) {
        return over(scene, failedSync(info.error, true));
      }
      const text = isEnd(info) ? oldText(info) : `The appliance says ${info.status}.`;
      if (text !== last) await job.say(TASK, text);
      last = text;
    }
    if (tooLong()) return over(scene, tooLate(last));
    await job.sleep(PACE.every_ms);
  }
}

async function ended(scene: Scene, { status, error, completed }: SyncInfo, took: number): Promise<void> {
  if (status === SYNC_FAILED) return over(scene, failedSync(error, false));
  const at = completed === null ? '' : ` at ${completed}`;
  await scene.job.say(TASK, `Synchronised${at}.`, { ok: true, duration_ms: Math.max(0, took) });
}

const oldText = ({ status, completed }: SyncInfo): string =>
  `The appliance still shows the end of an earlier synchronisation (${status}${completed === null ? '' : ` at ${completed}`}).`;

const tooLate = (last: string): Problem =>
  new Problem(
    'remote_timeout',
    `The synchronisation did not end within ${Math.round(PACE.sync_ms / 60_000)} minutes. ${last} The depot is set: look at the appliance, and configure it again here to synchronise once more.`,
  );
