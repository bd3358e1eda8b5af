// Brings the desired state of an applied plan's units back to what that plan put in force: everything in the caller's
// transaction, or nothing.

import { instant } from '../../ground/clock.ts';
import { type Blocker, notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { inTheWay } from '../edits/interface-edit.ts';
import { followServiceRecords } from '../edits/service-records.ts';
import { loadUnitRows, type NamedRows, PLANS_KEPT, readUnitRows, type UnitRows } from './applied-rows.ts';
import {
  type Counts,
  countsBetween,
  type DocumentDifference,
  differenceOf,
  documentsBetween,
  type TableDifference,
} from './applied-rows-difference.ts';
import { followInterfaces, inOrder } from './applied-rows-follow.ts';
import { bringInterfacesBack, type FormerInterfaces, renamedAdapters } from './applied-rows-interfaces.ts';
import { faultySettings, followReservations, rulesInTheAir, withoutLostOwners } from './applied-rows-standing.ts';
import { KEPT, keptUnits } from './applied-rows-tables.ts';
import { type Writing, writeDocuments, writeInterfaces, writeTables } from './applied-rows-write.ts';
import type { PlanState } from './plan.ts';

/** What an applied plan put in force, as far as it is kept. */
export interface FormerState {
  plan_id: string;
  units: UnitRows[];
  /** Units of the plan of which nothing is kept; they stay as they are. */
  left: UnitId[];
  /** Versions of the desired state that were applied. */
  versions: ReadonlyMap<UnitId, number>;
}

interface PlanRow {
  state: PlanState;
  applied_rows: string | null;
  units: string;
}

const FIND = `SELECT state, applied_rows, (SELECT json_group_object(value ->> 'id', value ->> 'version')
  FROM json_each(document, '$.units')) AS units FROM plan WHERE id = ?`;

/**
 * Reads what a plan put in force. One statement, and a file for each unit.
 * @throws Problem 404; 409 `state_conflict` for a plan that was not applied, or whose rows are not kept.
 */
export async function findFormerState(
  db: Database,
  { settings, logger }: Pick<Services, 'settings' | 'logger'>,
  plan_id: string,
): Promise<FormerState> {
  const row = await db.one<PlanRow>(FIND, [plan_id]);
  if (!row) throw notFound('This plan');
  if (row.state !== 'applied') {
    throw new Problem('state_conflict', `This plan is ${row.state}; only what a plan has put in force can come back.`);
  }
  const named = JSON.parse(row.applied_rows ?? '{}') as NamedRows;
  const versions = new Map(Object.entries(JSON.parse(row.units) as Record<string, number>)) as Map<UnitId, number>;
  const kept = keptUnits([...versions.keys()]);
  if (kept.length === 0 || kept.some((unit) => named[unit] === undefined)) throw notKept();
  try {
    const units = await Promise.all(kept.map((unit) => loadUnitRows(settings.data, named[unit]!)));
    if (!units.every(fits)) throw new Error('The rows were kept by a release whose tables were others.');
    return { plan_id, units, left: [...versions.keys()].filter((unit) => !kept.includes(unit)), versions };
  } catch (error) {
    logger.warn('rows of an applied plan can not be read', { plan_id, failure: { message: (error as Error).message } });
    throw notKept();
  }
}

const notKept = (): Problem =>
  new Problem(
    'state_conflict',
    `What this plan put in force is not kept: it is older than the last ${PLANS_KEPT} applied plans, or was applied by an earlier release.`,
  );

const fits = ({ unit, tables }: UnitRows): boolean =>
  KEPT[unit]!.tables.every(({ name, columns }) => tables[name]?.columns.join() === columns.join());

export interface BroughtBack {
  units: UnitId[];
  /** Empty: everything is as the plan had it, and nothing was written. */
  counts: Counts[];
  /** Values of other units, and of what came back, that follow the interfaces as they are now. */
  moves: number;
  followed: UnitId[];
}

/**
 * Writes what differs. Revisions go on counting; what is there keeps its id.
 * @throws Problem 409 with everything that stands in the way.
 */
export async function bringBack(tx: Transaction, services: Services, former: FormerState): Promise<BroughtBack> {
  const units = former.units.map(({ unit }) => unit);
  const before = await readAll(tx, units);
  const nothing: BroughtBack = { units, counts: [], moves: 0, followed: [] };
  const wanted = await Promise.all(former.units.map((rows) => withoutLostOwners(tx, rows)));
  if (countsOf(before, wanted).length === 0) return nothing;
  await tx.run('SAVEPOINT former');
  const { moves, followed } = await write(tx, services, former, before, wanted);
  const counts = countsOf(before, await readAll(tx, units));
  if (counts.length > 0) return { units, counts, moves, followed };
  // It differs from the plan only in what follows the interfaces: not even a revision may tell of it.
  await tx.run('ROLLBACK TO former');
  return nothing;
}

async function readAll(tx: Database, units: readonly UnitId[]): Promise<UnitRows[]> {
  const all: UnitRows[] = [];
  for (const unit of units) all.push((await readUnitRows(tx, unit))!);
  return all;
}

const countsOf = (now: readonly UnitRows[], wanted: readonly UnitRows[]): Counts[] =>
  wanted.flatMap((rows, at) => countsBetween(rows.unit, now[at]!, rows));

async function write(
  tx: Transaction,
  services: Services,
  former: FormerState,
  before: readonly UnitRows[],
  wanted: readonly UnitRows[],
): Promise<Followed> {
  const states = await unitStates(tx);
  const saved = await loadInterfaces(tx);
  const then = wanted[0]!.interfaces;
  const network: FormerInterfaces = wanted.some(({ unit }) => unit === 'network')
    ? bringInterfacesBack(saved, then)
    : { difference: { saved: [], removed: [] }, after: saved, blockers: [] };
  const units = wanted.map((rows, at) => ({
    unit: rows.unit,
    tables: differenceOf(rows.unit, before[at]!, rows),
    documents: documentsBetween(rows.unit, before[at]!, rows),
    past: Math.max(0, (states.get(rows.unit)?.desired_version ?? 0) - (former.versions.get(rows.unit) ?? 0)),
  }));
  return bringTo(tx, services, { units, saved, then, network });
}

/** What differs of a unit, and what its revisions go on from. */
export interface Returning {
  unit: UnitId;
  tables: readonly TableDifference[];
  documents: readonly DocumentDifference[];
  past: number;
}

export interface Bringing {
  units: readonly Returning[];
  /** The interfaces of now, and those that what comes back was made for. */
  saved: readonly NetworkInterface[];
  then: readonly NetworkInterface[];
  network: FormerInterfaces;
}

export interface Followed {
  /** Values that follow the interfaces as they will be. */
  moves: number;
  followed: UnitId[];
}

/**
 * Writes what comes back, with all that follows from it.
 * @throws Problem 409 with everything that stands in the way
 */
export async function bringTo(
  tx: Transaction,
  services: Pick<Services, 'clock' | 'entropy'>,
  { units, saved, then, network }: Bringing,
): Promise<Followed> {
  const now = instant(services.clock.now());
  const restored = new Set(units.map(({ unit }) => unit));
  const blockers: Blocker[] = [...renamedAdapters(saved, then), ...network.blockers];
  for (const { unit, tables, documents, past } of units) {
    const writing: Writing = { now, past };
    blockers.push(...rulesInTheAir(tables, network.after), ...faultySettings(documents, network.after));
    await writeTables(tx, tables, writing);
    await writeDocuments(tx, documents, writing);
    if (unit === 'network') await writeInterfaces(tx, network.difference, saved, writing);
  }
  const others = await followInterfaces(tx, services, (unit) => !restored.has(unit), saved, network.after);
  // Rules that come back were looked at above, as rows that name an interface.
  const comesBack = (unit: UnitId) => restored.has(unit) && unit !== 'firewall';
  const own = await followInterfaces(tx, services, comesBack, then, network.after);
  const needed = [...others.blockers, ...own.blockers];
  if (needed.length > 0) throw inTheWay('dependents_refuse', [...needed, ...blockers]);
  const hosts = restored.has('dns-dhcp') ? await followReservations(tx, now) : { moved: 0, blockers: [] };
  blockers.push(...hosts.blockers);
  if (blockers.length > 0) throw inTheWay('state_conflict', blockers);
  await followServiceRecords(tx, services);
  const followed = [...others.units, ...own.units, ...(hosts.moved > 0 ? (['network-boot'] as const) : [])];
  return { moves: others.moves + own.moves + hosts.moved, followed: inOrder(followed) };
}

/** What bringing it back would add, change and remove, as far as the rows alone tell. Reads only. */
export async function foreseeBringingBack(db: Database, former: FormerState): Promise<Counts[]> {
  const now = await readAll(
    db,
    former.units.map(({ unit }) => unit),
  );
  const wanted = await Promise.all(former.units.map((rows) => withoutLostOwners(db, rows)));
  return countsOf(now, wanted);
}
