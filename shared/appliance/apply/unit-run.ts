// One unit's part of an apply: stage → check → keep the way back → swap → activate → probe → baseline. Each step is
// written down before the next begins; a run that was killed goes on from there, and a unit that fails is rolled back to the
// files it had. So a unit is always either applied or as it was before.
import { join } from 'node:path';
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { LogLine } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { saveAppliedFiles } from '../../platform/applied/applied-files.ts';
import { saveBaseline } from '../../platform/applied/baseline.ts';
import { recordApplied } from '../../platform/applied/unit-state.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';
import { findUnit } from '../units.ts';
import { keepAppliedRows, nameAppliedRows } from './applied-rows.ts';
import { outdateDrift } from './drift-store.ts';
import { count, type Enforcement, type UnitOrder } from './enforcement.ts';
import { failureAt, type StepName } from './failure.ts';
import { refuseFilesChanged } from './host-drift.ts';
import { type Gathered, gather } from './make-plan.ts';
import type { Plan, PlannedUnit } from './plan.ts';
import { type RunJournal, type RunStep, writeJournal } from './plan-store.ts';
import { stage, stagedPath } from './staging.ts';
import { WindowClosed } from './window/confirm-window.ts';

export interface UnitRunOptions {
  job: JobRun;
  plan: Plan;
  journal: RunJournal;
  enforcement: Enforcement;
  /** Folder in which the unit's files are staged. */
  folder: string;
}

export class UnitRun {
  readonly #job: JobRun;
  readonly #plan: Plan;
  readonly #planned: PlannedUnit;
  readonly #journal: RunJournal;
  readonly #enforcement: Enforcement;
  readonly #folder: string;
  readonly #unit: AnyUnit;
  /** The step that runs. */
  #at: { name: StepName; kind: 'write' | 'act' | 'probe'; started: number } = {
    name: 'read',
    kind: 'write',
    started: performance.now(),
  };

  constructor({ job, plan, journal, enforcement, folder }: UnitRunOptions, planned: PlannedUnit) {
    this.#job = job;
    this.#plan = plan;
    this.#planned = planned;
    this.#journal = journal;
    this.#enforcement = enforcement;
    this.#folder = join(folder, planned.id);
    this.#unit = findUnit(planned.id);
  }

  async run(): Promise<void> {
    const { id } = this.#planned;
    await this.#job.startTask(id);
    try {
      const material = await gather(this.#job.services, this.#unit);
      await this.#enforce({ plan_id: this.#plan.id, planned: this.#planned, material });
      // Only a plan that nobody has to confirm is in force for good now.
      if (this.#plan.window === null) await this.#record(material);
      await this.#job.endTask(id, 'succeeded');
    } catch (error) {
      // In force and recorded as such, or somebody else's to finish: either way not ours to roll back.
      if (this.#journal[id] === 'applied' || this.#job.fenced) throw error;
      const failure = this.#failure(error as Error);
      await this.#restore(failure);
      await this.#job.endTask(id, 'failed');
      throw failure;
    }
  }

  /** What the failure is for people; the service log keeps the error itself. */
  #failure(error: Error): Error {
    if (this.#job.signal.aborted || error instanceof WindowClosed) return error;
    const { message, stack } = error;
    this.#job.services.logger.error('a unit could not be applied', {
      job_id: this.#job.id,
      request_id: this.#job.id,
      unit: this.#planned.id,
      step: this.#at.name,
      failure: { message, ...(!(error instanceof Problem) && { stack }) },
    });
    return failureAt(error, this.#planned, this.#at.name);
  }

  async #enforce(order: UnitOrder): Promise<void> {
    const { host } = this.#job.services;
    const { desired, files } = order.material;
    const enforcement = this.#enforcement;
    const touched = this.#planned.written.length + this.#planned.removed.length > 0;
    await this.#step('stage', 'write', async () => {
      await stage(this.#folder, files);
      return files.length > 0 ? `${count(files.length, 'file')} staged` : null;
    });
    await this.#step('check', 'write', async () => {
      const check = await this.#unit.check(host, desired, (path) => stagedPath(this.#folder, path));
      if (!check.ok) throw new Problem('state_conflict', `${check.program}: ${check.faults.join('; ')}`);
      return `Validated: ${check.program}`;
    });
    // After an interruption the host may already hold the new files.
    this.#at = { name: 'compare', kind: 'write', started: performance.now() };
    if (this.#journal[this.#planned.id] === undefined) await refuseFilesChanged(host, this.#planned, order.material);
    await this.#step('save', 'write', async () => {
      await enforcement.keep(order);
      await this.#reached('saved');
      return touched ? 'Previous files kept' : null;
    });
    await this.#step('swap', 'write', async () => {
      const said = await enforcement.swap(order);
      await this.#reached('swapped');
      return touched ? said : null;
    });
    await this.#step('activate', 'act', async () => {
      const said = await enforcement.activate(order);
      await this.#reached('activated');
      return said;
    });
    await this.#step('probe', 'probe', async () => {
      const probe = await enforcement.probe(order);
      if (!probe.ok) throw new Problem('state_conflict', probe.said);
      await this.#reached('probed');
      return probe.said;
    });
  }

  async #record(material: Gathered): Promise<void> {
    await this.#step('baseline', 'write', async () => {
      await recordUnits(this.#job, this.#plan, this.#journal, [material]);
      return 'Recorded as in force';
    });
  }

  /**
   * Puts the previous files back and makes the service follow them: first the host, then the words about it, because
   * what made the unit fail (a full disk) may keep the words from being written.
   */
  async #restore(cause: Error): Promise<void> {
    const { id } = this.#planned;
    const { kind, started } = this.#at;
    const said: [string, Omit<LogLine, 'at' | 'text'>][] = [
      [
        cause instanceof Problem ? cause.message : 'Stopped before its end',
        { ok: false, kind, duration_ms: since(started) },
      ],
    ];
    let reached: RunStep | null = null;
    try {
      // With a window, the whole plan goes back.
      const left = this.#plan.window !== null || this.#journal[id] === undefined;
      const order = { plan_id: this.#plan.id, planned: this.#planned };
      const sentences = left ? null : await this.#enforcement.restore(order);
      if (sentences) {
        said.push(...sentences.map((sentence): [string, { ok: boolean }] => [sentence, { ok: true }]));
        reached = 'restored';
      }
    } catch (error) {
      said.push([`Could not be rolled back: ${(error as Error).message}`, { ok: false }]);
      reached = 'unrestored';
    }
    const told = async () => {
      for (const [text, facts] of said) await this.#job.say(id, text, facts);
      if (reached) await this.#reached(reached);
    };
    await told().catch((error: Error) => {
      this.#job.services.logger.error('the log of a failed apply could not be written', {
        job_id: this.#job.id,
        failure: { message: error.message, said: said.map(([text]) => text) },
      });
    });
  }

  async #step(name: StepName, kind: 'write' | 'act' | 'probe', work: () => Promise<string | null>): Promise<void> {
    const started = performance.now();
    this.#at = { name, kind, started };
    this.#job.stopIfFenced();
    this.#job.stopIfSpent();
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}`);
    const said = await work();
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}:done`);
    if (said !== null) await this.#job.say(this.#planned.id, said, { duration_ms: since(started), kind, ok: true });
  }

  async #reached(step: RunStep): Promise<void> {
    this.#journal[this.#planned.id] = step;
    await this.#job.services.store.write((tx) => writeJournal(tx, this.#plan.id, this.#journal));
  }
}

/** Records units as in force, all in one transaction: from here on they are what later changes are compared with. */
export async function recordUnits(
  job: JobRun,
  plan: Plan,
  journal: RunJournal,
  materials: readonly Gathered[],
): Promise<void> {
  const { services } = job;
  const planned = new Map(plan.units.map((unit) => [unit.id, unit]));
  // Beside the baselines: what is saved stays as it is while the apply holds the lock.
  const keeping = keepAppliedRows(
    services,
    materials.map(({ unit }) => unit.id),
  );
  // Waited for below: until then nobody would hear of its failure.
  keeping.catch(() => undefined);
  const digests: string[] = [];
  for (const { facts, files, unit, desired } of materials) {
    const digest = await saveBaseline(services.settings.data, facts, files, unit.remember(desired), unit.id);
    await saveAppliedFiles(services.settings.data, digest, files);
    digests.push(digest);
  }
  const rows = await keeping;
  const applied = Object.fromEntries(materials.map(({ unit }) => [unit.id, 'applied'])) as RunJournal;
  await services.store.write(async (tx) => {
    const at = instant(services.clock.now());
    for (const [index, { unit }] of materials.entries()) {
      const { version, digest } = planned.get(unit.id)!;
      await recordApplied(tx, unit.id, { version, digest, entries_digest: digests[index]!, plan_id: plan.id, at });
      await outdateDrift(tx, unit.id);
    }
    await nameAppliedRows(tx, plan.id, rows);
    await writeJournal(tx, plan.id, { ...journal, ...applied });
  });
  Object.assign(journal, applied);
}

export function since(started: number): number {
  return Math.round(performance.now() - started);
}
