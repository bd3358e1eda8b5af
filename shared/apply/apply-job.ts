// The apply itself, as a job: unit by unit, stage → check → save the previous files → swap → activate → probe →
// baseline. Each step is written down before the next begins; a run that was killed goes on from there, and a unit that
// fails is put back to the files it had. So a unit is always either applied or as it was before.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemActor } from '../access/actor.ts';
import { appendAudit } from '../audit/audit.ts';
import type { JobRun } from '../jobs/run.ts';
import type { JobKind } from '../jobs/runner.ts';
import { instant } from '../operation/clock.ts';
import { releaseLocks } from '../operation/mutation-lock.ts';
import { Problem } from '../operation/problems.ts';
import { findUnit } from '../units/registry.ts';
import type { AnyUnit, UnitChange } from '../units/unit.ts';
import { saveBaseline } from './baseline.ts';
import { gather } from './make-plan.ts';
import { changeOf, type PlannedUnit, type UnitMaterial } from './plan.ts';
import { endPlan, findPlan, type RunJournal, type RunStep, readJournal, writeJournal } from './plan-store.ts';
import { refuseUnreviewed } from './reviewed.ts';
import { loadPrevious, type PreviousFile, restorePrevious, savePrevious, stage, stagedPath } from './staging.ts';
import { APPLY_JOB } from './submit.ts';
import { recordApplied } from './unit-state.ts';

export const applyJob: JobKind = {
  kind: APPLY_JOB,
  async run(job) {
    const plan = await findPlan(job.services.store, job.job.subject!);
    const journal = await readJournal(job.services.store, plan.id);
    await prepare(job, plan.units, journal);
    for (const planned of plan.units) {
      if (journal[planned.id] === 'applied') continue;
      // Not before a unit that was interrupted: leaving now would leave it between its two states.
      if (journal[planned.id] === undefined) await job.stopIfAsked();
      await new UnitRun(job, plan.id, planned, journal).run();
    }
    return { plan_id: plan.id, units: plan.units.map((unit) => unit.id) };
  },
  async ended(job, outcome) {
    const tx = job.transaction!;
    const { services } = job;
    const at = instant(services.clock.now());
    const journal = await readJournal(tx, job.job.subject!);
    await endPlan(tx, job.job.subject!, outcome === 'succeeded' ? 'applied' : outcome, at);
    const context = { at, actor: systemActor('apply'), request_id: job.id, source_address: '' };
    const detail = { job_id: job.id, submitted_by: job.job.created_by, units: journal, host: services.host.label };
    const event = { action: `apply.${outcome}`, resource_type: 'plan', resource_id: job.job.subject, detail };
    await appendAudit(
      tx,
      services.keys,
      context,
      { ...event, outcome: outcome === 'succeeded' ? 'success' : 'failure' },
      { holdsLock: true },
    );
    await releaseLocks(tx, job.id);
  },
  // Only after the commit: a job that is taken up again needs the previous files.
  async swept(job) {
    await rm(workFolder(job, job.job.subject!), { recursive: true, force: true });
  },
};

function workFolder(job: JobRun, plan_id: string): string {
  return join(job.services.settings.data, 'apply', 'work', plan_id);
}

/** Renders every unit again and refuses what was not reviewed, before anything is touched. */
async function prepare(job: JobRun, units: readonly PlannedUnit[], journal: RunJournal): Promise<void> {
  const started = performance.now();
  await job.startTask('prepare');
  await job.services.checkpoint?.('prepare');
  const waiting = units.filter((planned) => journal[planned.id] === undefined);
  try {
    await refuseUnreviewed(job.services, waiting);
  } catch (error) {
    await job.endTask('prepare', 'failed');
    throw error;
  }
  await job.say('prepare', 'Mutations locked; every unit renders as it was reviewed', {
    duration_ms: since(started),
    kind: 'write',
    ok: true,
  });
  await job.endTask('prepare', 'succeeded');
}

interface FileMode {
  path: string;
  mode: number;
}

class UnitRun {
  readonly #job: JobRun;
  readonly #planned: PlannedUnit;
  readonly #journal: RunJournal;
  readonly #plan_id: string;
  readonly #folder: string;
  readonly #unit: AnyUnit;

  constructor(job: JobRun, plan_id: string, planned: PlannedUnit, journal: RunJournal) {
    this.#job = job;
    this.#planned = planned;
    this.#journal = journal;
    this.#plan_id = plan_id;
    this.#folder = join(workFolder(job, plan_id), planned.id);
    this.#unit = findUnit(planned.id);
  }

  async run(): Promise<void> {
    const { id } = this.#planned;
    await this.#job.startTask(id);
    const material = await gather(this.#job.services, this.#unit);
    // Entries agree but files are new after an interrupted swap: the change is read from the saved previous files then.
    const saved = await loadPrevious(this.#folder);
    const change = saved ? changeFrom(saved, material) : changeOf(material);
    try {
      await this.#enforce(
        material,
        change ?? { before: material.baseline?.entries ?? null, after: material.entries, written: [], removed: [] },
      );
      await this.#job.endTask(id, 'succeeded');
    } catch (error) {
      // In force and recorded as such, or somebody else's to finish: either way not ours to put back.
      if (this.#journal[id] === 'applied' || this.#job.fenced) throw error;
      await this.#restore(material, change, error as Error);
      await this.#job.endTask(id, 'failed');
      throw error;
    }
  }

  async #enforce(material: Awaited<ReturnType<typeof gather>>, change: UnitChange): Promise<void> {
    const { host, settings, store } = this.#job.services;
    const { desired, files, entries } = material;
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
      if (!(await loadPrevious(this.#folder)))
        await savePrevious(this.#folder, host, this.#touched(files, material.baseline?.files ?? [], change));
      await this.#reached('saved');
      return 'Previous files kept';
    });
    await this.#step('swap', 'write', async () => {
      for (const file of files.filter((each) => change.written.includes(each.path))) {
        await host.write(file);
        await this.#job.services.checkpoint?.(`${this.#planned.id}:swapping`);
      }
      for (const path of change.removed) await host.remove(path);
      await this.#reached('swapped');
      return `${count(change.written.length, 'file')} written${change.removed.length > 0 ? `, ${count(change.removed.length, 'file')} removed` : ''}`;
    });
    await this.#step('activate', 'act', async () => {
      const said = host.enforces
        ? await this.#unit.activate(host, desired, change)
        : 'Rehearsal: nothing on this machine is changed';
      await this.#reached('activated');
      return said;
    });
    await this.#step('probe', 'probe', async () => {
      const probe = host.enforces
        ? await this.#unit.probe(host, desired)
        : { ok: true, said: 'Rehearsal: no service was asked' };
      if (!probe.ok) throw new Problem('state_conflict', probe.said);
      await this.#reached('probed');
      return probe.said;
    });
    await this.#step('baseline', 'write', async () => {
      const entries_digest = await saveBaseline(settings.data, entries, files, this.#unit.remember(desired));
      const applied: RunJournal = { ...this.#journal, [this.#planned.id]: 'applied' };
      await store.write(async (tx) => {
        const { version, digest } = this.#planned;
        const at = instant(this.#job.services.clock.now());
        await recordApplied(tx, this.#planned.id, { version, digest, entries_digest, plan_id: this.#plan_id, at });
        await writeJournal(tx, this.#plan_id, applied);
      });
      this.#journal[this.#planned.id] = 'applied';
      return 'Recorded as in force';
    });
  }

  /** Modes are those of the new files; of a file that goes away, the one it was written with. */
  #touched(files: readonly FileMode[], inForce: readonly FileMode[], change: UnitChange) {
    const modes = new Map([...inForce, ...files].map((file) => [file.path, file.mode]));
    return [...change.written, ...change.removed].map((path) => ({ path, mode: modes.get(path) ?? 0o644 }));
  }

  /**
   * Puts the previous files back and makes the service follow them: first the host, then the words about it, because
   * what made the unit fail (a full disk) may keep the words from being written.
   */
  async #restore(material: UnitMaterial, change: UnitChange | null, cause: Error): Promise<void> {
    const { host } = this.#job.services;
    const { id } = this.#planned;
    const said: [string, boolean][] = [
      [cause instanceof Problem ? cause.message : 'Failed unexpectedly; see the service log', false],
    ];
    let reached: RunStep | null = null;
    try {
      const previous = this.#journal[id] === undefined ? null : await loadPrevious(this.#folder);
      if (previous) {
        await this.#job.services.checkpoint?.(`${id}:restore`);
        await restorePrevious(this.#folder, host, previous);
        const earlier = material.baseline ? material.baseline.remembered : this.#unit.nothing;
        if (host.enforces && change && earlier !== null) {
          const back = {
            before: change.after,
            after: change.before ?? new Map(),
            written: change.written,
            removed: change.removed,
          };
          said.push([`Put back: ${await this.#unit.activate(host, earlier, back)}`, true]);
        }
        said.push(['The previous files are in force again', true]);
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
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}`);
    const said = await work();
    await this.#job.services.checkpoint?.(`${this.#planned.id}:${name}:done`);
    await this.#job.say(this.#planned.id, said, { duration_ms: since(started), kind, ok: true });
  }

  async #reached(step: RunStep): Promise<void> {
    this.#journal[this.#planned.id] = step;
    await this.#job.services.store.write((tx) => writeJournal(tx, this.#plan_id, this.#journal));
  }
}

/** The change of a run that was interrupted after it kept the previous files. */
function changeFrom(previous: readonly PreviousFile[], material: UnitMaterial): UnitChange {
  const rendered = new Set(material.files.map((file) => file.path));
  const paths = previous.map((file) => file.path);
  return {
    before: material.baseline?.entries ?? null,
    after: material.entries,
    written: paths.filter((path) => rendered.has(path)),
    removed: paths.filter((path) => !rendered.has(path)),
  };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
