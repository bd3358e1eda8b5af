// Which units go together: a plan of some of the changed units takes along those that would not work without them, or
// that they would not work without. Pure.
import { isIP } from 'node:net';
import type { UnitId } from '../../platform/unit-names.ts';
import type { Entries, UnitChange } from '../../platform/units/unit.ts';

export interface ChangedUnit {
  id: UnitId;
  label: string;
  change: UnitChange;
}

/** Units that others stand on: where two changed units concern the same place and one of them is here, they go together. */
const FOUNDATIONS: ReadonlySet<UnitId> = new Set(['network', 'firewall']);
/** Settings of an interface that decide whether, and with which addresses, something can be reached there. */
const REACH: ReadonlySet<string> = new Set([
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

/** Names of the interfaces that a network's entries speak of: the first word of each setting. */
export function interfacesIn(...flat: readonly (Entries | null | undefined)[]): Set<string> {
  return new Set(flat.flatMap((entries) => [...(entries?.keys() ?? [])].map((key) => key.split(' ', 1)[0]!)));
}

/** Interfaces and addresses that the changed settings of a unit name. */
function placesOf({ id, change }: ChangedUnit, interfaces: ReadonlySet<string>): Set<string> {
  const places = new Set<string>();
  const { before, after } = change;
  for (const key of new Set([...(before?.keys() ?? []), ...after.keys()])) {
    const [was, becomes] = [before?.get(key), after.get(key)];
    if (was === becomes) continue;
    if (id === 'network' && !REACH.has(key.slice(key.indexOf(' ') + 1))) continue;
    for (const word of `${key} ${was ?? ''} ${becomes ?? ''}`.split(/[\s,;/"']+/)) {
      if (interfaces.has(word) || isIP(word) !== 0) places.add(word);
    }
  }
  return places;
}
