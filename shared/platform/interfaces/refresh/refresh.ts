// The dependent refresh: from an edit of interfaces and the saved state of all units to the rows that follow, or to
// what blocks the edit. One pure function; the caller writes everything in the transaction of the edit.
import { UNIT_IDS, type UnitId } from '../../unit-names.ts';
import { rulesOn } from '../firewall-rules.ts';
import { filterNotes, followAppliance } from './appliance.ts';
import type { Change } from './change.ts';
import { followDatastore } from './datastores.ts';
import { gatewayFor, ownAddress, type ServiceInterfaces } from './handed-out.ts';
import { followHostRecords } from './host-records.ts';
import { followService, upstreamNotes } from './listeners.ts';
import { MOUNT_SERVER, mountServer } from './mount-server.ts';
import { followOption } from './options.ts';
import { followReservations } from './reservations.ts';
import { followReserved, followScope, newOverlaps, type Serving, scopeMoves } from './scopes.ts';
import type { DatastoreRow, Refresh, ScopeRow, ServiceDependents, ServiceRow, Snapshot } from './snapshot.ts';
import { carriesService, standingIn } from './standing.ts';

/** Keys of the services that hand-out lists of DHCP scopes follow. */
const DNS = 'dns-dhcp';
const NTP = 'ntp';

const NO_RECORDS = { writes: { updated: [], added: [], removed: [] }, moves: [] };

/**
 * What follows a change. When `blockers` is not empty nothing may be written; it has every blocker, so that one answer
 * shows all that has to be done.
 */
export function refresh(snapshot: Snapshot, change: Change, declared: readonly ServiceDependents[]): Refresh {
  const services = snapshot.services.map((row) => ({ row, declared: declared.find(({ key }) => key === row.key)! }));
  const followed = services.map((each) => ({ ...each, ...followService(each.row, each.declared, change) }));
  const nextServices: ServiceRow[] = followed.map(({ row, document }) => ({ key: row.key, document }));
  const scopesBefore = scopesInForce(snapshot);
  const serving: [Serving, Serving] = [
    { standing: change.before, listening: listeningOn(snapshot.services, change.before) },
    { standing: change.after, listening: listeningOn(nextServices, change.after) },
  ];
  const moving = scopesBefore.map((scope) => followScope(scope, change));
  const tentative = moving.map((scope) => scope.tentative);
  const gateways = [resolved(scopesBefore, change.before), resolved(tentative, change.after)] as const;
  const reservations = followReservations(snapshot, ...gateways, change);
  // A server that is handed out may be a reservation: the scope follows it.
  const scopes = moving.map((each) => followReserved(each, reservations.moved));
  const scopesAfter = scopes.map(({ scope }) => scope);
  const scopesMoved = scopesAfter.map((scope, at) => ({ moves: scopeMoves(scopesBefore[at]!, scope, serving) }));
  const replaced = new Map([...change.replaced, ...reservations.moved]);
  const appliance = followAppliance(snapshot.appliance, { replaced });
  const options = snapshot.options.map((row) => ({ row, ...followOption(row, { replaced }) }));
  const datastores = snapshot.datastores.map((row) => ({ row, ...followDatastore(row, change) }));
  const changed = followed.some(({ row, document }) => document !== row.document);
  const records = namedRecords(snapshot, declared, { services: nextServices, changed, datastores });
  const written = scopesAfter.filter((scope, at) => scope !== scopesBefore[at] && differs(scope, scopesBefore[at]!));
  const outcome: Omit<Refresh, 'units'> = {
    writes: {
      dns_servers: appliance.dns_servers,
      services: followed
        .filter(({ row, document }) => document !== row.document)
        .map(({ row, document }) => ({ key: row.key, document })),
      scopes: snapshot.scopes.length > 0 ? written : [],
      legacy: snapshot.scopes.length > 0 ? null : (written[0] ?? null),
      options: options.filter(({ row, option }) => option !== row).map(({ option }) => option),
      ...reservations.writes,
      datastores: datastores.filter(({ row, datastore }) => datastore !== row).map(({ datastore }) => datastore),
      records: { ...records.writes, updated: [...records.writes.updated, ...reservations.writes.records] },
    },
    // Reservations come last: an answer lists the first moves only, and there may be thousands of theirs.
    moves: [[appliance], followed, scopesMoved, options, datastores, [records], [reservations]].flatMap((each) =>
      each.flatMap(({ moves }) => moves),
    ),
    deselected: followed.flatMap(({ deselected }) => deselected),
    notes: [
      ...[followed, datastores].flatMap((each) => each.flatMap(({ notes }) => notes)),
      ...filterNotes(snapshot.appliance, change),
      ...upstreamNotes(snapshot.services, reservations.moved),
      ...snapshot.operators.map(operatorNote),
    ],
    blockers: [
      ...followed.flatMap(({ blocker }) => blocker ?? []),
      ...scopes.flatMap(({ blockers }) => blockers),
      ...newOverlaps(scopesBefore, tentative),
      ...options.flatMap(({ blocker }) => blocker ?? []),
      ...reservations.blockers,
      ...datastores.flatMap(({ blocker }) => blocker ?? []),
      ...rulesOn(snapshot, change),
    ],
  };
  return { ...outcome, units: unitsOf(outcome) };
}

interface NextNamed {
  services: readonly ServiceRow[];
  /** Whether a service is elsewhere than it was. */
  changed: boolean;
  datastores: readonly { row: DatastoreRow; datastore: DatastoreRow }[];
}

/** The records of services' names then, and of that of storage, which leads to its datastores. */
function namedRecords(snapshot: Snapshot, declared: readonly ServiceDependents[], next: NextNamed) {
  const mounts = mountServer(
    snapshot.storage,
    next.datastores.map(({ datastore }) => datastore),
  );
  const moved = mounts.length > 0 && next.datastores.some(({ row, datastore }) => datastore !== row);
  if (!next.changed && !moved) return NO_RECORDS;
  return followHostRecords([...next.services, ...mounts], snapshot, [...declared, MOUNT_SERVER]);
}

const operatorNote = ({ fqdn, value }: Snapshot['operators'][number]): string =>
  `The record ${fqdn} has ${value}, the address that moves; change it yourself.`;

/** The scopes, or the legacy global binding while there is none. */
export function scopesInForce({ scopes, legacy }: Pick<Snapshot, 'scopes' | 'legacy'>): ScopeRow[] {
  return scopes.length > 0 || legacy === null ? scopes : [legacy];
}

const differs = (one: ScopeRow, other: ScopeRow): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Scopes with the gateways that their clients get. */
const resolved = (scopes: readonly ScopeRow[], standing: Change['after']): ScopeRow[] =>
  scopes.map((scope) => ({ ...scope, gateway: gatewayFor(scope, ownAddress(scope, standing)) }));

/** Interfaces that the enabled services answer on. */
function listeningOn(services: readonly ServiceRow[], standing: Change['after']): ServiceInterfaces {
  const on = (key: string): string[] => {
    const document = services.find((row) => row.key === key)?.document;
    if (!document?.enabled) return [];
    return document.listen_interfaces.filter((name) => carriesService(standingIn(standing, name)));
  };
  return { dns: on(DNS), ntp: on(NTP) };
}

/** Units whose desired state is rewritten, in the order of an apply. */
function unitsOf({ moves, deselected }: Pick<Refresh, 'moves' | 'deselected'>): UnitId[] {
  const touched = new Set([...moves, ...deselected].map(({ unit }) => unit));
  return UNIT_IDS.filter((unit) => touched.has(unit));
}
