// Gathers what a plan is made from (desired state, baseline, files in force, the real program's check) and stores it.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { instant, newId } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type Baseline, factsInForce, loadBaseline } from '../../platform/applied/baseline.ts';
import { settleUnit, type UnitState, unitStates } from '../../platform/applied/unit-state.ts';
import type { NetworkDesired } from '../../platform/network/desired.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import type { AnyUnit, CheckResult, UnitChange } from '../../platform/units/unit.ts';
import { knownNames } from '../../services/dns-dhcp/known-names.ts';
import { staysOff } from '../../services/firewall/facts.ts';
import { surroundingsOf } from '../surroundings.ts';
import { type ChangedBy, changedBy } from './changed-by.ts';
import { atFile } from './failure.ts';
import { driftOf, type HostDrift, runningAgainst } from './host-drift.ts';
import { onceMore, runningNow } from './once-more.ts';
import {
  changeOf,
  noChange,
  onlyHostDiffers,
  type Plan,
  type PlannedUnit,
  planDigest,
  planUnit,
  reasonOf,
  type UnitMaterial,
} from './plan.ts';
import { insertPlan } from './plan-store.ts';
import { expand, interfacesIn } from './selection.ts';
import { stage, stagedPath } from './staging.ts';
import { trustAgain } from './trust-again.ts';
import { type Arrival, type Confirmation, confirmationOf, questionAbout } from './window/path.ts';

/** A plan can also be made of what a transaction has written so far. */
export type PlanServices = Omit<Services, 'store'> & { store: Database };
export type GatherServices = Pick<PlanServices, 'store' | 'host' | 'settings' | 'logger'>;

/** Desired state of one unit and the files it renders to. */
export async function render(services: GatherServices, unit: AnyUnit, operator: string | null = null) {
  const desired: unknown = await unit.load(services.store, surroundingsOf(services.settings, operator));
  // With a hundred thousand records each step takes long enough that requests should be looked at in between.
  await othersTurn();
  return { desired, files: unit.render(desired, (path) => services.host.resolve(path), services.host.kind) };
}

export type Gathered = UnitMaterial & { desired: unknown; entries_digest: string | null };

/**
 * Reads and renders one unit. The version is read first: an edit in between makes the plan stale, never wrong. `known`
 * spares the statement for a caller that has read the states before.
 */
export async function gather(
  services: GatherServices,
  unit: AnyUnit,
  known?: ReadonlyMap<UnitId, UnitState>,
  operator: string | null = null,
): Promise<Gathered> {
  const { store, host } = services;
  const state = (known ?? (await unitStates(store))).get(unit.id);
  const { desired, files } = await render(services, unit, operator);
  const found = await baselineOf(services, state?.entries_digest ?? null, unit.id);
  const baseline = found && { ...found, facts: factsInForce(unit, found) };
  const paths = new Set([...files, ...(baseline?.files ?? [])].map((file) => file.path));
  // At once: a network with hundreds of VLANs has as many files twice over, and waiting for each in turn takes longest.
  const inForce = new Map(
    await Promise.all([...paths].map(async (path) => [path, await host.read(path).catch(atFile(path))] as const)),
  );
  const version = state?.desired_version ?? 0;
  await othersTurn();
  const entries_digest = state?.entries_digest ?? null;
  const applied = entries_digest !== null;
  return { unit, version, desired, facts: unit.facts(desired), files, applied, baseline, inForce, entries_digest };
}

/** The state in force. One that is missing or damaged (a restored database) is none: the next plan shows the unit whole. */
export async function baselineOf(
  { settings, logger }: Pick<Services, 'settings' | 'logger'>,
  digest: string | null,
  unit: UnitId | null = null,
): Promise<Baseline | null> {
  if (digest === null) return null;
  try {
    return await loadBaseline(settings.data, digest, unit);
  } catch (error) {
    logger.warn('a baseline can not be read; the unit is planned as if it was never applied', {
      failure: { message: (error as Error).message },
    });
    return null;
  }
}

export interface PlanWish {
  /** Only these, and the changed ones that have to come along; default: all that changed. */
  units?: readonly UnitId[] | undefined;
  /** The named units are put in force once more, even where nothing saved differs. */
  reapply?: boolean | undefined;
  /** The way that whoever asks came in: what would shut him out is refused, what touches it is to be confirmed. */
  arrival?: Arrival | undefined;
}

export interface Prepared {
  plan: Plan;
  /** Units whose versions moved but whose state is what is in force. */
  settled: { unit: AnyUnit; version: number }[];
}

/** A plan for which no program was asked yet. */
export interface Draft extends Prepared {
  /** What its units are made from, in its order. */
  materials: Gathered[];
  /** Unit → why it came along; null: it was asked for. */
  chosen: ReadonlyMap<UnitId, string | null>;
}

/** What programs said of one unit of a draft. */
interface Word {
  check: CheckResult;
  /** What runs other than it was applied; null for a unit that never was. */
  running: string[] | null;
  drift: HostDrift | null;
  /** Whom it cuts off. */
  cuts: string[];
}

/** By what was asked about. */
export type Words = ReadonlyMap<string, Word>;

const keyOf = ({ id, version, digest }: Pick<PlannedUnit, 'id' | 'version' | 'digest'>): string =>
  `${id} ${version} ${digest}`;

/** Everything slow happens here, before the transaction that stores the plan. */
export async function preparePlan(
  services: PlanServices,
  units: readonly AnyUnit[],
  created_by: string,
  wish: PlanWish = {},
): Promise<Prepared> {
  const draft = await draftPlan(services, units, created_by, wish);
  return withWords(draft, await askPrograms(services, draft));
}

/** The word of each unit's programs. They may take seconds: never within a transaction, which keeps all writers waiting. */
export async function askPrograms(services: PlanServices, { plan, materials }: Draft): Promise<Words> {
  const words = new Map<string, Word>();
  for (const [at, planned] of plan.units.entries()) {
    const material = materials[at]!;
    const check = await checkStaged(services, plan.id, material, material.desired);
    const running = material.baseline ? await runningNow(services.host, material) : null;
    const { unit, baseline, desired } = material;
    const overwritten = running?.lines.length
      ? await runningAgainst(services.host, unit, baseline?.remembered, async () => desired)
      : [];
    const drift = await driftOf(services, material, overwritten);
    const cuts = await cutsOf(services, material);
    words.set(keyOf(planned), { check, running: running && [...running.lines, ...running.unread], drift, cuts });
  }
  return words;
}

/** What could not be asked says nothing: the plan tells what it means all the same. */
async function cutsOf({ host, store, logger }: PlanServices, material: Gathered): Promise<string[]> {
  const { unit } = material;
  const change = changeOf(material);
  if (!unit.cuts || change === null) return [];
  return unit
    .cuts(host, change, (addresses) => knownNames(store, addresses))
    .catch((error: Error) => {
      logger.warn('whom a change cuts off could not be asked', { unit: unit.id, failure: { message: error.message } });
      return [];
    });
}

const withCuts = (planned: PlannedUnit, cuts: readonly string[]): PlannedUnit =>
  cuts.length === 0 ? planned : { ...planned, says: [...cuts, ...planned.says], risk: 'high' };

/** @throws Problem 409 `plan_stale` naming the units of which something else was asked: they were edited meanwhile. */
export function withWords({ plan, materials, settled, chosen }: Draft, words: Words): Prepared {
  const edited: PlannedUnit[] = [];
  const units = plan.units.map((planned, at) => {
    const material = materials[at]!;
    const word = words.get(keyOf(planned));
    if (!word || (onlyHostDiffers(material) && word.running === null)) edited.push(planned);
    const again = word?.running && onlyHostDiffers(material) ? onceMore(material, planned, word.running) : null;
    const asked = { check: word?.check ?? null, drift: word?.drift ?? null };
    return withCuts({ ...planned, ...again, ...came(chosen.get(planned.id)), ...asked }, word?.cuts ?? []);
  });
  if (edited.length === 0) return { plan: { ...plan, units }, settled };
  const names = edited.map(({ label }) => label).join(', ');
  throw new Problem('plan_stale', `${names} changed during the check. Nothing was saved: try again.`, {
    units: edited.map(({ id }) => id),
  });
}

/** Reads, renders and compares. Runs no program, so that it may be of what a transaction has written so far. */
export async function draftPlan(
  services: PlanServices,
  units: readonly AnyUnit[],
  created_by: string,
  wish: PlanWish = {},
): Promise<Draft> {
  const id = newId('plan', services.entropy);
  const states = await unitStates(services.store);
  const materials: Gathered[] = [];
  for (const unit of units) materials.push(await gather(services, unit, states, wish.arrival?.remote));
  const { chosen, changes, left } = choose(materials, wish);
  const inPlan = new Map(
    materials.flatMap(({ unit: { id } }) => (chosen.has(id) && changes.has(id) ? [[id, unitName(id)]] : [])),
  );
  const edits = inPlan.size > 0 ? await changedBy(services.store, states) : new Map<UnitId, ChangedBy>();
  const planned: PlannedUnit[] = [];
  const chosenMaterials = materials.filter(({ unit }) => inPlan.has(unit.id));
  for (const material of chosenMaterials) {
    const change = changes.get(material.unit.id)!;
    await othersTurn();
    planned.push({
      ...(await withTrust(services.store, material, planUnit(material, change))),
      reason: reasonOf(material.unit, change, { inPlan, edited: edits.get(material.unit.id)?.own }),
      ...came(chosen.get(material.unit.id)),
      check: null,
      drift: null,
    });
  }
  const unchanged = materials.filter(({ unit }) => !changes.has(unit.id));
  const settled = unchanged.filter(({ unit, version }) => {
    const state = states.get(unit.id);
    return state !== undefined && state.applied_version !== version;
  });
  const filter = inPlan.has('firewall') ? changes.get('firewall') : undefined;
  const changes_filter = filter !== undefined && !staysOff(filter);
  const plan: Plan = {
    id,
    state: 'open',
    digest: planDigest(planned),
    units: planned,
    unchanged: unchanged.map(({ unit }) => unitName(unit.id)),
    selection: wish.units ? [...wish.units] : null,
    left_out: left,
    overwrite_drift: wish.reapply ? [...(wish.units ?? [])] : [],
    confirm: confirmation(services, materials, { units: planned, changes_filter }, wish.arrival),
    changes_filter,
    note: '',
    created_by,
    created_at: instant(services.clock.now()),
    submitted_by: null,
    submitted_at: null,
    job_id: null,
    restorable: false,
    window: null,
    finished_at: null,
  };
  return { plan, settled, materials: chosenMaterials, chosen };
}

/** What the unit itself does not know: who relies on a certificate that is replaced. */
async function withTrust<U extends Pick<PlannedUnit, 'says' | 'risk'>>(
  db: Database,
  { baseline, desired }: Gathered,
  planned: U,
): Promise<U> {
  const trust = await trustAgain(db, baseline?.remembered, desired);
  return trust.length === 0 ? planned : { ...planned, says: [...planned.says, ...trust], risk: 'high' };
}

/** A rehearsal leaves the machine as it is, and the way to it too. */
function confirmation(
  { host }: PlanServices,
  materials: readonly Gathered[],
  plan: Pick<Plan, 'units' | 'changes_filter'>,
  arrival: Arrival | undefined,
): Confirmation | null {
  const network = materials.find(({ unit }) => unit.id === 'network');
  if (!host.enforces || !network || !arrival) return null;
  const { interfaces } = network.desired as NetworkDesired;
  const inForce = network.baseline?.remembered as NetworkDesired | undefined;
  return confirmationOf(questionAbout(plan, arrival, inForce?.interfaces ?? null, interfaces));
}

const came = (reason: string | null | undefined) => (reason ? { reason } : {});

interface Choice {
  /** Unit → why it came along; null: it was asked for. */
  chosen: Map<UnitId, string | null>;
  /** Of every unit that would be applied if it were chosen. */
  changes: Map<UnitId, UnitChange>;
  /** Labels of changed units that stay out. */
  left: string[];
}

function choose(materials: readonly Gathered[], { units, reapply }: PlanWish): Choice {
  const asked = new Set(units ?? materials.map(({ unit }) => unit.id));
  const changes = new Map<UnitId, UnitChange>();
  for (const material of materials) {
    const { id } = material.unit;
    const again = reapply === true && units !== undefined && asked.has(id) && material.baseline !== null;
    const change = changeOf(material) ?? (again ? noChange(material) : null);
    if (change) changes.set(id, change);
  }
  const changed = materials.flatMap(({ unit }) => {
    const change = changes.get(unit.id);
    return change ? [{ id: unit.id, label: unitName(unit.id), change }] : [];
  });
  // Nothing can come along where everything is in: no need to look for what has to.
  if (units === undefined) return { chosen: new Map([...asked].map((id) => [id, null])), changes, left: [] };
  const network = materials.find(({ unit }) => unit.id === 'network');
  const chosen = expand(asked, changed, interfacesIn(network?.facts, network?.baseline?.facts));
  return { chosen, changes, left: changed.filter(({ id }) => !chosen.has(id)).map(({ label }) => label) };
}

export async function storePlan(transaction: Transaction, prepared: Prepared): Promise<void> {
  for (const { unit, version } of prepared.settled) await settleUnit(transaction, unit.id, version);
  if (prepared.plan.units.length > 0) await insertPlan(transaction, prepared.plan);
}

/** The real program's word on a unit's rendered files, staged below a folder of this name and removed again. */
export async function checkStaged(services: PlanServices, name: string, material: UnitMaterial, desired: unknown) {
  const folder = join(services.settings.data, 'apply', 'review', name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await stage(folder, material.files);
    return await material.unit.check(services.host, desired, (path) => stagedPath(folder, path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
