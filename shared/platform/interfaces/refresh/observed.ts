// What follows a discovery: links with new names, and addresses that DHCP or a router gave. A discovery is a fact, so
// nothing is refused: selections stay as they are, only names and addresses follow.

import { UNIT_IDS, type UnitId } from '../../unit-names.ts';
import { followAppliance } from './appliance.ts';
import type { Change } from './change.ts';
import { mountAddresses } from './datastores.ts';
import { withAddresses } from './listeners.ts';
import { followOption } from './options.ts';
import type { DatastoreRow, ScopeRow, ServiceDependents, Snapshot, Writes } from './snapshot.ts';
import { type Standing, standingIn } from './standing.ts';

/** Old name → new name of links. */
export type Renames = ReadonlyMap<string, string>;

/** Without addresses that the network withdrew and did not replace: settings that name them stay as they are. */
function given(replaced: Change['replaced']): Change['replaced'] {
  return new Map([...replaced].filter(([, next]) => next !== null));
}

/**
 * Rows to write, and the units that they belong to. `gone`: addresses that no link has any more, with their successors.
 */
export function followObserved(
  snapshot: Snapshot,
  after: ReadonlyMap<string, Standing>,
  renames: Renames,
  declared: readonly ServiceDependents[],
  gone: Change['replaced'] = new Map(),
): { writes: Writes; units: UnitId[] } {
  const named = (name: string): string => renames.get(name) ?? name;
  const change = { after, replaced: given(gone) };
  const services = snapshot.services.flatMap((row) => {
    const known = declared.find(({ key }) => key === row.key)!;
    const listen_interfaces = row.document.listen_interfaces.map(named);
    return changed(row, { ...row, document: withAddresses({ ...row.document, listen_interfaces }, known, change) });
  });
  const observedScope = (row: ScopeRow): ScopeRow => ({
    ...row,
    interface: named(row.interface),
    dns_servers: followed(row.dns_servers, change),
    ntp_servers: followed(row.ntp_servers, change),
  });
  const scopes = snapshot.scopes.flatMap((row) => changed(row, observedScope(row)));
  const [legacy = null] = snapshot.legacy ? changed(snapshot.legacy, observedScope(snapshot.legacy)) : [];
  const options = snapshot.options.flatMap((row) => changed(row, followOption(row, change).option));
  const { dns_servers } = followAppliance(snapshot.appliance, change);
  const datastores = snapshot.datastores.flatMap((row) => changed(row, observedDatastore(row, after, named)));
  const touched = new Set<UnitId>([
    ...(dns_servers ? (['network'] as const) : []),
    ...services.map(({ key }) => declared.find((each) => each.key === key)!.unit),
    ...(scopes.length + options.length > 0 ? (['dns-dhcp'] as const) : []),
    ...(datastores.length > 0 ? (['storage'] as const) : []),
  ]);
  const records = { updated: [], added: [], removed: [] };
  return {
    writes: {
      dns_servers,
      services,
      scopes,
      legacy,
      datastores,
      options,
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

const followed = (servers: readonly string[], { replaced }: Pick<Change, 'replaced'>): string[] => [
  ...new Set(servers.map((server) => replaced.get(server) ?? server)),
];

function observedDatastore(
  row: DatastoreRow,
  after: ReadonlyMap<string, Standing>,
  named: (name: string) => string,
): DatastoreRow {
  const name = named(row.interface);
  return { ...row, interface: name, addresses: mountAddresses(row, standingIn(after, name)) };
}
