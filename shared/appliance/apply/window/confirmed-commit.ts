// The confirm window within an apply: opened before the first change, waited for after the last, rolled back when the apply
// fails in between. RFC 6241, section 8.4.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../ground/problems.ts';
import { Cancelled, type JobRun, Left } from '../../../kernel/jobs/run.ts';
import { findUnit } from '../../units.ts';
import type { Enforcement } from '../enforcement.ts';
import { gather } from '../make-plan.ts';
import type { Plan } from '../plan.ts';
import { keepDeadline, type RunJournal, setPlanState } from '../plan-store.ts';
import { CONFIRM_TASK } from '../submit.ts';
import { recordUnits } from '../unit-run.ts';
import { reserveForConfirming } from './confirm-reserve.ts';
import { WindowClosed } from './confirm-window.ts';
import { hashNonce, isOpen, type RevertCause, timeLeft, uptime, type WindowRecord } from './record.ts';
import { unlessDamaged } from './record-file.ts';

/** The answer to the submit, and the page that it leads to, are on their way before the path is touched. Milliseconds. */
export const GRACE = 1_000;
const POLL = 200;
/** The watchdog is given this long after the deadline before the job does it itself. */
const WATCHDOG_LATE = 500;
/** Whoever cancels puts the plan back himself; the job does it when he did not. */
const CANCEL_LATE = 1_000;
/** Between two tries of what must not stay undone: recording what was confirmed, putting back what was not. */
const AGAIN = 1_000;

export const notConfirmed = (): Problem =>
  new Problem(
    'not_confirmed',
    'The plan was not confirmed within its window; the previous configuration was restored.',
  );

/** Arms the window, once. */
export async function openWindow(job: JobRun, plan: Plan, enforcement: Enforcement): Promise<void> {
  if (plan.window === null) return;
  const { nonce, timeout_seconds, arrived_at, listeners } = plan.window;
  const since = job.services.clock.now().getTime() - Date.parse(plan.submitted_at!);
  await pause(Math.min(GRACE, Math.max(0, GRACE - since)));
  const found = await enforcement.window.read().catch(unlessDamaged);
  if (found?.plan_id !== plan.id) {
    await job.stopIfAsked();
    await reserveForConfirming(job.services);
  }
  await enforcement.window.arm({
    plan_id: plan.id,
    nonce_sha256: hashNonce(nonce),
    units: plan.units.map((unit) => unit.id),
    timeout_seconds,
    arrived_at,
    listeners,
  });
  await job.services.checkpoint?.('window:armed');
  // Taken up again after its end, which a restart of the machine is too.
  const record = await enforcement.window.read();
  if (record?.state === 'confirmed') return;
  if (record?.state !== 'armed' || timeLeft(record) <= 0) throw new WindowClosed();
}

/**
 * The apply failed or was stopped inside a window: everything it did goes back at once. Answers what the job ends with, or
 * null when the plan was confirmed before, and stays.
 */
export async function putPlanBack(
  job: JobRun,
  plan: Plan,
  enforcement: Enforcement,
  cause: Error,
): Promise<Error | null> {
  const record = await putBack(job, plan, enforcement, 'apply', (found) => whyOf(cause, found));
  if (record?.state === 'confirmed') return null;
  const ended = record?.ended ?? null;
  const stopped = cause instanceof Cancelled || ended?.cause === 'cancelled';
  const known = cause instanceof Problem || cause instanceof WindowClosed;
  const said = stopped ? 'Stopped' : known ? cause.message : 'Failed unexpectedly; see the service log';
  const told = async () => {
    await job.startTask(CONFIRM_TASK);
    await job.say(CONFIRM_TASK, said, { ok: false });
    for (const text of ended?.said ?? []) await job.say(CONFIRM_TASK, text, { ok: record?.state === 'reverted' });
    await job.endTask(CONFIRM_TASK, 'failed');
  };
  // What made it fail (a full disk) may keep the words about it from being written.
  await told().catch((error: Error) => complain(job, 'the log of a failed apply could not be written', error));
  if (stopped) return new Cancelled();
  return cause instanceof WindowClosed ? notConfirmed() : cause;
}

function whyOf(cause: Error, record: WindowRecord | null): RevertCause {
  if (cause instanceof Cancelled) return 'cancelled';
  if (!(cause instanceof WindowClosed)) return 'failed';
  return record?.boot_id === uptime().boot_id ? 'timeout' : 'restart';
}

/** Until it is certain: while a plan still has to be rolled back, nothing may be said about how it ended. */
async function putBack(
  job: JobRun,
  plan: Plan,
  enforcement: Enforcement,
  by: string,
  why: (found: WindowRecord | null) => RevertCause,
): Promise<WindowRecord | null> {
  return untilDone(job, 'a plan could not be rolled back yet', async () =>
    enforcement.window.end(plan.id, by, why(await enforcement.window.read().catch(unlessDamaged))),
  );
}

async function untilDone<T>(job: JobRun, complaint: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Left) throw error;
      complain(job, complaint, error as Error);
    }
    job.stopIfFenced();
    await job.leaveOr(pause(AGAIN));
  }
}

function complain(job: JobRun, what: string, error: Error): void {
  job.services.logger.error(what, { job_id: job.id, failure: { message: error.message } });
}

/**
 * Waits until the window has ended, and records the plan as in force when it was confirmed.
 * @throws Problem 409 `not_confirmed` when it was rolled back, Cancelled when somebody did that
 */
export async function awaitConfirmation(
  job: JobRun,
  plan: Plan,
  journal: RunJournal,
  enforcement: Enforcement,
): Promise<void> {
  if (plan.window === null) return;
  const { services } = job;
  const opened = await complete(job, plan, enforcement);
  if (opened.state === 'armed') await tellOpen(job, plan, opened).catch((error) => leaveOrComplain(job, error));
  await services.checkpoint?.('window:waiting');
  const record = await outcomeOf(job, plan, enforcement);
  await services.checkpoint?.('window:ended');
  if (record.state !== 'confirmed') throw (await putPlanBack(job, plan, enforcement, notConfirmed())) ?? notConfirmed();
  // It is in force for good: not having written that down yet is no reason to say anything else.
  await untilDone(job, 'a confirmed plan could not be recorded yet', async () => {
    const units = plan.units.filter((unit) => journal[unit.id] !== 'applied');
    const materials = [];
    for (const unit of units) materials.push(await gather(services, findUnit(unit.id)));
    await recordUnits(job, plan, journal, materials);
  });
  const told = async () => {
    await job.say(CONFIRM_TASK, `Confirmed by ${record.ended?.by}; recorded as in force`, { ok: true });
    await job.endTask(CONFIRM_TASK, 'succeeded');
  };
  await told().catch((error) => leaveOrComplain(job, error));
}

async function tellOpen(job: JobRun, plan: Plan, record: WindowRecord): Promise<void> {
  const { services } = job;
  await job.startTask(CONFIRM_TASK);
  await job.waiting();
  await services.store.write(async (tx) => {
    await setPlanState(tx, plan.id, 'confirming');
    await keepDeadline(tx, plan.id, record.deadline_at);
  });
  await job.say(CONFIRM_TASK, `In force; goes back at ${record.deadline_at.slice(11, 19)} UTC unless it is confirmed`, {
    ok: true,
  });
}

/** What the page says is worth less than the plan: that it can't be written down now does not end the window. */
function leaveOrComplain(job: JobRun, error: Error): void {
  if (job.fenced) throw error;
  complain(job, 'an open confirm window could not be written down', error);
}

/** The window as it is once the change is complete; what ended it meanwhile counts. */
async function complete(job: JobRun, plan: Plan, enforcement: Enforcement): Promise<WindowRecord> {
  try {
    return await enforcement.window.enforced(plan.id);
  } catch (error) {
    const record = await enforcement.window.read().catch(unlessDamaged);
    if (record?.plan_id === plan.id && record.state !== 'armed') return record;
    throw (await putPlanBack(job, plan, enforcement, error as Error)) ?? error;
  }
}

/**
 * How the window ended. Whoever asks to stop ends it; so does this job, where the watchdog does not. A record that can't be
 * read for as long as the window was to last is over as well: nobody could confirm it, and the way in may be gone.
 */
async function outcomeOf(job: JobRun, plan: Plan, enforcement: Enforcement): Promise<WindowRecord> {
  let cancelledFor = 0;
  let unreadSince: number | null = null;
  for (;;) {
    job.stopIfFenced();
    const record = await readOwn(job, plan, enforcement);
    if (record && !isOpen(record)) return record;
    unreadSince = record ? null : (unreadSince ?? uptime().ms);
    if (unreadSince !== null && uptime().ms - unreadSince > plan.window!.timeout_seconds * 1000)
      await putBack(job, plan, enforcement, 'apply', () => 'timeout');
    if (record && timeLeft(record) < -WATCHDOG_LATE) {
      const cause = record.boot_id === uptime().boot_id ? 'timeout' : 'restart';
      await putBack(job, plan, enforcement, 'apply', () => cause);
    } else if (cancelledFor > CANCEL_LATE) {
      await putBack(job, plan, enforcement, 'an operator', () => 'cancelled');
    } else {
      const asked = await job.askedToStop().catch(() => false);
      cancelledFor = asked ? cancelledFor + POLL : 0;
      await job.leaveOr(pause(POLL));
    }
  }
}

/**
 * The record, or null when it can't be read now.
 * @throws Problem 409 when it is gone: then nobody knows whether the plan was confirmed, and nothing rolls it back
 */
async function readOwn(job: JobRun, plan: Plan, enforcement: Enforcement): Promise<WindowRecord | null> {
  const record = await enforcement.window.read().catch((error: Error) => error);
  if (record instanceof Error) {
    complain(job, 'the confirm window can not be read', record);
    return null;
  }
  if (record?.plan_id === plan.id) return record;
  throw new Problem(
    'state_conflict',
    'The record of the confirm window is gone, so the plan was not rolled back: compare the host with what was applied.',
  );
}
