// The apply itself, as a job: what was reviewed is enforced unit by unit, and, where the plan touches the path of whoever
// applies it, stays only if it is confirmed over that path.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { instant } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { releaseLocks } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { JobKind } from '../../kernel/jobs/runner.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import { UNITS } from '../units.ts';
import { detectDrift } from './drift.ts';
import { enforcementOf } from './enforcement-of.ts';
import { withOutcome } from './failure.ts';
import { refuseDrift } from './host-drift.ts';
import type { Plan, PlanState, WindowEnd } from './plan.ts';
import { endPlan, findPlan, type RunJournal, readJournal } from './plan-store.ts';
import { refuseUnreviewed } from './reviewed.ts';
import { APPLY_JOB } from './submit.ts';
import { since, UnitRun } from './unit-run.ts';
import { freeForConfirming } from './window/confirm-reserve.ts';
import { awaitConfirmation, openWindow, putPlanBack } from './window/confirmed-commit.ts';
import { isOpen, type WindowRecord } from './window/record.ts';

export const applyJob: JobKind = {
  kind: APPLY_JOB,
  says: () => 'Apply a reviewed plan',
  page: ({ subject }) => ({ href: pagePath('plan', subject), label: 'Plan' }),
  stops: 'write:apply',
  putsBack: true,
  async run(job) {
    const plan = await findPlan(job.services.store, job.job.subject!);
    const journal = await readJournal(job.services.store, plan.id);
    const enforcement = enforcementOf(job.services);
    try {
      if (betweenUnits(plan, journal)) job.stopIfSpent();
      await prepare(job, plan, journal);
      await openWindow(job, plan, enforcement);
      await enforce(job, plan, journal);
    } catch (error) {
      if (job.fenced) throw error;
      if (plan.window === null) throw error instanceof Problem ? withOutcome(error, plan, journal) : error;
      const failure = await putPlanBack(job, plan, enforcement, error as Error);
      if (failure) throw failure;
    }
    await awaitConfirmation(job, plan, journal, enforcement);
    return { plan_id: plan.id, units: plan.units.map((unit) => unit.id) };
  },
  async ended(job, outcome) {
    const tx = job.transaction!;
    const { services } = job;
    const plan_id = job.job.subject!;
    const at = instant(services.clock.now());
    const { window: opened } = await findPlan(tx, plan_id);
    // A plan without a window ends, whatever a record says of another one.
    const record = opened === null ? null : await enforcementOf(services).window.read();
    const reached = await readJournal(tx, plan_id);
    const window = record?.plan_id === plan_id ? withLost(record, reached) : null;
    // Not written down as ended, the job is taken up again and comes to an end that is one.
    if (window && isOpen(window)) throw new Error(`${plan_id} still has to be rolled back`);
    if (window?.state === 'confirmed' && outcome !== 'succeeded')
      throw new Error(`${plan_id} was confirmed and still has to be recorded as in force`);
    const state = endOf(outcome, window);
    const journal = restoredIn(reached, window);
    await endPlan(tx, plan_id, { state, at, journal, window: windowEnd(window, outcome, at) });
    for (const unit of UNITS) await unit.ended?.(tx, plan_id);
    const context = { at, actor: systemActor('apply'), request_id: job.id, source_address: '' };
    const told = window?.ended && { confirm_window: { state: window.state, ...window.ended } };
    const detail = {
      job_id: job.id,
      submitted_by: job.job.created_by,
      units: journal,
      host: services.host.label,
      ...told,
    };
    const action = `apply.${state === 'applied' ? 'succeeded' : state}`;
    const event = { action, resource_type: 'plan', resource_id: plan_id, detail };
    await appendAudit(
      tx,
      services.keys,
      context,
      { ...event, outcome: outcome === 'succeeded' ? 'success' : 'failure' },
      { holdsLock: true },
    );
    await releaseLocks(tx, job.id);
  },
  // Only after the commit: a job that is taken up again needs the way back.
  async swept(job) {
    await enforcementOf(job.services).forget(job.job.subject!);
    await freeForConfirming(job.services);
    await rm(workFolder(job, job.job.subject!), { recursive: true, force: true });
    await detectDrift(job.services, UNITS, 'touched');
  },
};

/** Whether stopping now leaves no unit between its two states; within a unit, its next step stops and rolls it back. */
function betweenUnits({ units, window }: Plan, journal: RunJournal): boolean {
  const left = units.filter(({ id }) => journal[id] !== 'applied');
  return window !== null || (left.length > 0 && left.every(({ id }) => journal[id] === undefined));
}

type Outcome = 'succeeded' | 'failed' | 'cancelled';

function endOf(outcome: Outcome, window: WindowRecord | null): PlanState {
  if (outcome === 'succeeded') return 'applied';
  return window?.state === 'reverted' ? 'reverted' : outcome;
}

/** Units that the run had come to and of which a record that was damaged found nothing kept: nobody may call them rolled back. */
function withLost(record: WindowRecord, journal: RunJournal): WindowRecord {
  const lost = (Object.keys(journal) as UnitId[]).filter((id) => !record.units.includes(id));
  if (record.ended === null || record.state !== 'reverted' || lost.length === 0) return record;
  const said = lost.map((id) => `${unitName(id)} could not be rolled back: what was kept of it is gone`);
  return {
    ...record,
    state: 'unreverted',
    ended: { ...record.ended, said: [...record.ended.said, ...said], unrestored: lost },
  };
}

/** What a window that was rolled back means for each unit that the run had come to. */
function restoredIn(journal: RunJournal, window: WindowRecord | null): RunJournal {
  if (window?.state !== 'reverted' && window?.state !== 'unreverted') return journal;
  const failed = window.ended?.unrestored ?? [];
  const ids = Object.keys(journal) as UnitId[];
  return Object.fromEntries(ids.map((id) => [id, failed.includes(id) ? 'unrestored' : 'restored']));
}

function windowEnd(window: WindowRecord | null, outcome: Outcome, at: string): WindowEnd {
  if (window?.ended) return { state: window.state, ...window.ended };
  const cause = outcome === 'cancelled' ? 'cancelled' : 'failed';
  return { state: 'closed', by: 'apply', at, cause, said: [], unrestored: [] };
}

function workFolder(job: JobRun, plan_id: string): string {
  return join(job.services.settings.data, 'apply', 'work', plan_id);
}

/** Renders every unit again and refuses what was not reviewed, before anything is touched. */
async function prepare(job: JobRun, plan: Plan, journal: RunJournal): Promise<void> {
  const started = performance.now();
  await job.startTask('prepare');
  await job.services.checkpoint?.('prepare');
  const waiting = plan.units.filter((planned) => journal[planned.id] === undefined);
  try {
    await refuseUnreviewed(job.services, waiting);
    // What a unit that was applied already did to the others is nobody's change by hand.
    if (waiting.length === plan.units.length) await refuseDrift(job.services, waiting, plan.overwrite_drift);
  } catch (error) {
    await job.endTask('prepare', 'failed');
    throw error;
  }
  await job.say('prepare', 'Saving locked; plan still matches the review', {
    duration_ms: since(started),
    kind: 'write',
    ok: true,
  });
  await job.endTask('prepare', 'succeeded');
}

async function enforce(job: JobRun, plan: Plan, journal: RunJournal): Promise<void> {
  const enforcement = enforcementOf(job.services);
  const options = { job, plan, journal, enforcement, folder: workFolder(job, plan.id) };
  for (const planned of plan.units) {
    const reached = journal[planned.id];
    if (reached === 'applied' || (plan.window !== null && reached === 'probed')) continue;
    // Not before a unit that was interrupted: leaving now would leave it between its two states.
    if (reached === undefined) await job.stopIfAsked();
    await new UnitRun(options, planned).run();
  }
}
