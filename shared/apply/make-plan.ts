// Gathers what a plan is made from (desired state, baseline, files in force, the real program's check) and stores it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { instant, newId } from '../operation/clock.ts';
import type { Services } from '../operation/services.ts';
import type { Transaction } from '../store/database.ts';
import type { AnyUnit } from '../units/unit.ts';
import { type Baseline, loadBaseline } from './baseline.ts';
import { changeOf, type Plan, type PlannedUnit, planDigest, planUnit, reasonOf, type UnitMaterial } from './plan.ts';
import { insertPlan } from './plan-store.ts';
import { stage, stagedPath } from './staging.ts';
import { settleUnit, unitStates } from './unit-state.ts';

/** Desired state of one unit and the files it renders to. */
export async function render(services: Services, unit: AnyUnit) {
  const desired: unknown = await unit.load(services.store);
  return { desired, files: unit.render(desired, (path) => services.host.resolve(path)) };
}

/** Reads and renders one unit. The version is read first: an edit in between makes the plan stale, never wrong. */
export async function gather(services: Services, unit: AnyUnit): Promise<UnitMaterial & { desired: unknown }> {
  const { store, host } = services;
  const state = (await unitStates(store)).get(unit.id);
  const { desired, files } = await render(services, unit);
  const baseline = await baselineOf(services, state?.entries_digest ?? null);
  const paths = new Set([...files, ...(baseline?.files ?? [])].map((file) => file.path));
  const inForce = new Map<string, string | null>();
  for (const path of paths) inForce.set(path, await host.read(path));
  const version = state?.desired_version ?? 0;
  return { unit, version, desired, entries: unit.entries(desired), files, baseline, inForce };
}

/** The state in force. One that is missing or damaged (a restored database) is none: the next plan shows the unit whole. */
export async function baselineOf(
  { settings, logger }: Pick<Services, 'settings' | 'logger'>,
  digest: string | null,
): Promise<Baseline | null> {
  if (digest === null) return null;
  try {
    return await loadBaseline(settings.data, digest);
  } catch (error) {
    logger.warn('a baseline can not be read; the unit is planned as if it was never applied', {
      failure: { message: (error as Error).message },
    });
    return null;
  }
}

export interface Prepared {
  plan: Plan;
  /** Units whose versions moved but whose state is what is in force. */
  settled: { unit: AnyUnit; version: number }[];
}

/** Everything slow happens here, before the transaction that stores the plan. */
export async function preparePlan(
  services: Services,
  units: readonly AnyUnit[],
  created_by: string,
): Promise<Prepared> {
  const id = newId('plan', services.entropy);
  const planned: Omit<PlannedUnit, 'reason'>[] = [];
  const settled: Prepared['settled'] = [];
  const unchanged: string[] = [];
  const states = await unitStates(services.store);
  for (const unit of units) {
    const material = await gather(services, unit);
    const change = changeOf(material);
    if (change === null) {
      unchanged.push(unit.label);
      const state = states.get(unit.id);
      if (state && state.applied_version !== material.version) settled.push({ unit, version: material.version });
      continue;
    }
    planned.push({
      ...planUnit(material, change),
      check: await checkStaged(services, id, material, material.desired),
    });
  }
  const inPlan = new Set(planned.map((unit) => unit.id));
  const plan: Plan = {
    id,
    state: 'open',
    digest: planDigest(planned),
    units: planned.map((unit) => ({ ...unit, reason: reasonOf(unit, inPlan) })),
    unchanged,
    note: '',
    created_by,
    created_at: instant(services.clock.now()),
    submitted_by: null,
    submitted_at: null,
    job_id: null,
    finished_at: null,
  };
  return { plan, settled };
}

export async function storePlan(transaction: Transaction, prepared: Prepared): Promise<void> {
  for (const { unit, version } of prepared.settled) await settleUnit(transaction, unit.id, version);
  if (prepared.plan.units.length > 0) await insertPlan(transaction, prepared.plan);
}

async function checkStaged(services: Services, plan_id: string, material: UnitMaterial, desired: unknown) {
  const folder = join(services.settings.data, 'apply', 'review', plan_id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await stage(folder, material.files);
    return await material.unit.check(services.host, desired, (path) => stagedPath(folder, path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
