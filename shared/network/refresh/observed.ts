// What follows when the host was looked at again: links under new names, and addresses that DHCP or a router gave. A
// discovery is a fact and refuses nothing: selections stay as they are, only names and derived addresses follow.

import { UNIT_IDS, type UnitId } from '../../units/unit.ts';
import { mountAddresses } from './datastores.ts';
import type { DatastoreRow, ServiceDependents, ServiceRow, Snapshot, Writes } from './snapshot.ts';
import { addressesOn, type Standing, standingIn } from './standing.ts';

/** Old name → new name of links. */
export type Renames = ReadonlyMap<string, string>;

/** Rows to write, and the units that they belong to. */
export function followObserved(
  snapshot: Snapshot,
  after: ReadonlyMap<string, Standing>,
  renames: Renames,
  declared: readonly ServiceDependents[],
): { writes: Writes; units: UnitId[] } {
  const named = (name: string): string => renames.get(name) ?? name;
  const services = snapshot.services.flatMap((row) => changed(row, observedService(row, after, named)));
  const scopes = snapshot.scopes.flatMap((row) => changed(row, { ...row, interface: named(row.interface) }));
  const legacy = snapshot.legacy && { ...snapshot.legacy, interface: named(snapshot.legacy.interface) };
  const datastores = snapshot.datastores.flatMap((row) => changed(row, observedDatastore(row, after, named)));
  const touched = new Set<UnitId>([
    ...services.map(({ key }) => declared.find((each) => each.key === key)!.unit),
    ...(scopes.length > 0 ? (['dns-dhcp'] as const) : []),
    ...(datastores.length > 0 ? (['storage'] as const) : []),
  ]);
  const records = { updated: [], added: [], removed: [] };
  return {
    writes: {
      services,
      scopes,
      legacy: legacy && legacy.interface !== snapshot.legacy!.interface ? legacy : null,
      datastores,
      options: [],
      reservations: [],
      boot_hosts: [],
      records,
    },
    units: UNIT_IDS.filter((unit) => touched.has(unit)),
  };
}

function changed<Row>(before: Row, after: Row): Row[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [after];
}

function observedService(
  { key, document }: ServiceRow,
  after: ReadonlyMap<string, Standing>,
  named: (name: string) => string,
): ServiceRow {
  const listen_interfaces = document.listen_interfaces.map(named);
  return { key, document: { ...document, listen_interfaces, listen_addresses: addressesOn(listen_interfaces, after) } };
}

function observedDatastore(
  row: DatastoreRow,
  after: ReadonlyMap<string, Standing>,
  named: (name: string) => string,
): DatastoreRow {
  const name = named(row.interface);
  return { ...row, interface: name, addresses: mountAddresses(row, standingIn(after, name)) };
}
