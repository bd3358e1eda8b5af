// Which units go together: a plan of some of the changed units takes along those that would not work without them, or
// that they would not work without. Pure.
import { isIP } from 'node:net';
import type { NetworkFact } from '../../platform/network/facts.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type Data, differences, type Facts, nameOf } from '../../platform/units/facts.ts';
import type { UnitChange } from '../../platform/units/unit.ts';

export interface ChangedUnit {
  id: UnitId;
  label: string;
  change: UnitChange;
}

/** Units that others stand on: where two changed units concern the same place and one of them is here, they go together. */
const FOUNDATIONS: ReadonlySet<UnitId> = new Set(['network', 'firewall']);
/** Facts of an interface that decide whether, and with which addresses, something can be reached there. */
const REACH: ReadonlySet<string> = new Set<NetworkFact>([
  'enabled',
  'role',
  'mode',
  'vlan',
  'ipv4_method',
  'ipv4_cidr',
  'ipv6_cidr',
  'management_ui',
]);

/**
 * The units of a plan: what was asked for, and each changed unit that has to come along with its reason in words. A unit
 * comes along when it and one that is already in concern the same interface or address, and one of the two is the
 * network or the firewall. `interfaces` are the names of the appliance's interfaces.
 */
export function expand(
  asked: ReadonlySet<UnitId>,
  changed: readonly ChangedUnit[],
  interfaces: ReadonlySet<string>,
): Map<UnitId, string | null> {
  const places = new Map(changed.map((unit) => [unit.id, placesOf(unit, interfaces)]));
  const within = new Map<UnitId, string | null>([...asked].map((id) => [id, null]));
  const queue = changed.filter(({ id }) => asked.has(id));
  for (const from of queue) {
    for (const unit of changed) {
      if (within.has(unit.id) || !(FOUNDATIONS.has(unit.id) || FOUNDATIONS.has(from.id))) continue;
      const shared = [...places.get(from.id)!].find((place) => places.get(unit.id)!.has(place));
      if (shared === undefined) continue;
      within.set(unit.id, `required by ${from.label}: both concern ${shared}`);
      queue.push(unit);
    }
  }
  return within;
}

/** Names of the interfaces that a network's facts speak of. */
export function interfacesIn(...all: readonly (Facts | null | undefined)[]): Set<string> {
  return new Set(all.flatMap((facts) => [...(facts?.keys() ?? [])].map(nameOf)));
}

/** Interfaces and addresses that the facts which differ name. */
function placesOf({ id, change }: ChangedUnit, interfaces: ReadonlySet<string>): Set<string> {
  const places = new Set<string>();
  for (const { kind, name, before, after } of differences(change.before, change.after)) {
    if (id === 'network' && !REACH.has(kind)) continue;
    for (const text of [name, ...textsIn(before), ...textsIn(after)]) {
      if (interfaces.has(text) || isIP(text) !== 0) places.add(text);
    }
  }
  return places;
}

/** Every word in a value: of a network and of a URL the address, of lines and lists each. */
function textsIn(value: Data | undefined): string[] {
  if (typeof value === 'string') return value.split(/[\s,;/"']+/);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
