// One unit's part of an apply: stage → check → keep the way back → swap → activate → probe → baseline. Each step is
// written down before the next begins; a run that was killed goes on from there, and a unit that fails is put back to the
// files it had. So a unit is always either applied or as it was before.
import { join } from 'node:path';
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { saveBaseline } from '../../platform/applied/baseline.ts';
import { recordApplied } from '../../platform/applied/unit-state.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';
import { findUnit } from '../units.ts';
import { keepAppliedRows, nameAppliedRows } from './applied-rows.ts';
import { outdateDrift } from './drift-store.ts';
import { count, type Enforcement, type UnitOrder } from './enforcement.ts';
import { type Gathered, gather } from './make-plan.ts';
import type { Plan, PlannedUnit } from './plan.ts';
import { type RunJournal, type RunStep, writeJournal } from './plan-store.ts';
import { stage, stagedPath } from './staging.ts';

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
    const material = await gather(this.#job.services, this.#unit);
    const order: UnitOrder = { plan_id: this.#plan.id, planned: this.#planned, material };
    try {
      await this.#enforce(order);
      // Only a plan that nobody has to confirm is in force for good now.
      if (this.#plan.window === null) await this.#record(material);
      await this.#job.endTask(id, 'succeeded');
    } catch (error) {
      // In force and recorded as such, or somebody else's to finish: either way not ours to put back.
      if (this.#journal[id] === 'applied' || this.#job.fenced) throw error;
      // With a window, the whole plan goes back.
      if (this.#plan.window === null) await this.#restore(order, error as Error);
      await this.#job.endTask(id, 'failed');
      throw error;
    }
  }

  async #enforce(order: UnitOrder): Promise<void> {
    const { host } = this.#job.services;
    const { desired, files } = order.material;
    const enforcement = this.#enforcement;
    await this.#step('stage', 'write', async () => {
      await stage(this.#folder, files);
      return `${count(files.length, 'file')} staged`;
    });
    await this.#step('check', 'write', async () => {
      const check = await this.#unit.check(host, desired, (path) => stagedPath(this.#folder, path));
      if (!check.ok) throw new Problem('state_conflict', `${check.program}: ${check.faults.join('; ')}`);
      return `Validated: ${check.program}`;
    });
    await this.#step('save', 'write', async () => {
      await enforcement.keep(order);
      await this.#reached('saved');
      return 'Previous files kept';
    });
    await this.#step('swap', 'write', async () => {
      const said = await enforcement.swap(order);
      await this.#reached('swapped');
      return said;
    });
    await this.#step('activate', 'act', async () => {
      const said = await enforcement.activate(order).catch(refusal);
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
  async #restore(order: UnitOrder, cause: Error): Promise<void> {
    const { id } = this.#planned;
    const said: [string, boolean][] = [
      [cause instanceof Problem ? cause.message : 'Failed unexpectedly; see the service log', false],
    ];
    let reached: RunStep | null = null;
    try {
      const sentences = this.#journal[id] === undefined ? null : await this.#enforcement.restore(order);
      if (sentences) {
        said.push(...sentences.map((sentence): [string, boolean] => [sentence, true]));
        reached = 'restored';
      }
    } catch (error) {
      said.push([`Could not be put back: ${(error as Error).message}`, false]);
      reached = 'unrestored';
    }
    const told = async () => {
      for (const [text, ok] of said) await this.#job.say(id, text, { ok });
      if (reached) await this.#reached(reached);
    };
    await told().catch((error: Error) => {
      this.#job.services.logger.error('the log of a failed apply could not be written', {
        job_id: this.#job.id,
        failure: { message: error.message, said: said.map(([text]) => text) },
      });
    });
  }

  async #step(name: string, kind: 'write' | 'act' | 'probe', work: () => Promise<string>): Promise<void> {
    const started = performance.now();
    this.#job.stopIfFenced();
    this.#job.stopIfSpent();
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}`);
    const said = await work();
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}:done`);
    await this.#job.say(this.#planned.id, said, { duration_ms: since(started), kind, ok: true });
  }

  async #reached(step: RunStep): Promise<void> {
    this.#journal[this.#planned.id] = step;
    await this.#job.services.store.write((tx) => writeJournal(tx, this.#plan.id, this.#journal));
  }
}

/** What a unit or its program says for people; what has a code or a class of its own was not meant for them. */
function refusal(error: Error & { code?: string }): never {
  throw error.constructor === Error && error.code === undefined ? new Problem('state_conflict', error.message) : error;
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
  const digests: string[] = [];
  for (const { facts, files, unit, desired } of materials) {
    digests.push(await saveBaseline(services.settings.data, facts, files, unit.remember(desired)));
  }
  const rows = await keepAppliedRows(
    services,
    materials.map(({ unit }) => unit.id),
  );
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
