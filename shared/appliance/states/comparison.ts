// What is saved of each unit beside what is in force: the plan's own comparison, made once for each saved state and kept.
import type { Services } from '../../kernel/operation/services.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type Difference, differences, type Facts, factKey } from '../../platform/units/facts.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';
import type { UnitStanding } from '../apply/drift-store.ts';
import { gather } from '../apply/make-plan.ts';
import { changeOf, isOff, onlyHostDiffers, type UnitMaterial } from '../apply/plan.ts';
import { UNITS } from '../units.ts';

export interface Comparison {
  /** An apply would change the appliance by what is saved; what somebody changed on the host alone is drift. */
  pending: boolean;
  /** Off, as saved. */
  off: boolean;
  /** As saved. */
  facts: Facts;
  /** By the keys of the facts. */
  differing: ReadonlyMap<string, Difference>;
}

/** Pure. */
export function comparison(material: UnitMaterial): Comparison {
  const { facts, baseline } = material;
  const pending = changeOf(material) !== null && !onlyHostDiffers(material);
  const found = pending ? [...differences(baseline?.facts ?? null, facts)] : [];
  return { pending, off: isOff(facts), facts, differing: new Map(found.map((each) => [keyOf(each), each])) };
}

/** The facts in force, by what differs from those that are saved. */
export function factsBefore({ facts, differing }: Comparison): Facts {
  const before = new Map(facts);
  for (const [key, each] of differing) {
    if (each.before === undefined) before.delete(key);
    else before.set(key, each.before);
  }
  return before;
}

const keyOf = ({ kind, name }: Difference): string => factKey(kind, name);

type Appliance = Pick<Services, 'store' | 'host' | 'settings' | 'logger' | 'notify'>;

/** A unit of more facts is compared beside the request that asks: it takes longer than a page may. */
export const LARGE = 20_000;

interface Kept {
  /** Of what was compared. */
  key: string;
  value: Comparison;
  /** Of what is being compared. */
  next: { key: string; done: Promise<Comparison | null> } | null;
}

/** By store, so that each appliance of a test has its own. */
const kept = new WeakMap<object, Map<UnitId, Kept>>();

/** Of every unit that an apply enforces. No statement and no file is read while nothing was saved and nothing applied. */
export async function compareUnits(
  appliance: Appliance,
  states: ReadonlyMap<UnitId, UnitStanding>,
): Promise<Map<UnitId, Comparison>> {
  const known = kept.get(appliance.store) ?? new Map<UnitId, Kept>();
  kept.set(appliance.store, known);
  const found = new Map<UnitId, Comparison>();
  for (const unit of UNITS) found.set(unit.id, await compareUnit(appliance, known, unit, states));
  return found;
}

async function compareUnit(
  appliance: Appliance,
  known: Map<UnitId, Kept>,
  unit: AnyUnit,
  states: ReadonlyMap<UnitId, UnitStanding>,
): Promise<Comparison> {
  const state = states.get(unit.id);
  const key = [state?.desired_version, state?.entries_digest, state?.surroundings].join(' ');
  const had = known.get(unit.id);
  if (had?.key === key) return had.value;
  // While it isn't known, the versions tell: saved since it was applied.
  const pending = state !== undefined && state.desired_version !== state.applied_version;
  const unknown: Comparison = had
    ? { ...had.value, pending }
    : { pending, off: false, facts: NONE, differing: NOTHING };
  const done = had?.next?.key === key ? had.next.done : compare(appliance, known, unit, states, key);
  if (had) had.next = { key, done };
  if (had && had.value.facts.size > LARGE) {
    // Not when it failed: pages would ask again at once.
    void done.then((value) => value && appliance.notify('pending'));
    return unknown;
  }
  return (await done) ?? unknown;
}

const NONE: Facts = new Map();
const NOTHING: Comparison['differing'] = new Map();

/** Null where the host or the unit can't be read; the next request tries again. */
async function compare(
  appliance: Appliance,
  known: Map<UnitId, Kept>,
  unit: AnyUnit,
  states: ReadonlyMap<UnitId, UnitStanding>,
  key: string,
): Promise<Comparison | null> {
  try {
    const value = comparison(await gather(appliance, unit, states));
    known.set(unit.id, { key, value, next: null });
    return value;
  } catch (error) {
    const had = known.get(unit.id);
    if (had) had.next = null;
    const { message } = error as Error;
    appliance.logger.warn('a unit could not be compared with what is in force', {
      unit: unit.id,
      failure: { message },
    });
    return null;
  }
}
