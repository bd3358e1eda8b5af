// Reads what the refresh looks at, from the owners of the rows: one statement for what every edit may touch, and three more
// when a scope moves and its reservations may have to follow.
import type { Database } from '../../ground/store/database.ts';
import type { Change } from '../../platform/interfaces/refresh/change.ts';
import { MOUNT_SERVER } from '../../platform/interfaces/refresh/mount-server.ts';
import { scopesInForce } from '../../platform/interfaces/refresh/refresh.ts';
import {
  type ApplianceRow,
  LEGACY_SCOPE,
  type OptionRow,
  type RecordRow,
  type ScopeRow,
  type ServiceDependents,
  type ServiceDocument,
  type Snapshot,
} from '../../platform/interfaces/refresh/snapshot.ts';
import { standingIn } from '../../platform/interfaces/refresh/standing.ts';
import { ALL_DOCUMENTS } from '../../platform/units/documents.ts';
import { LEGACY_KEY } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import {
  allReservations,
  dnsDhcpColumns,
  registeredRecords,
  reservationOf,
} from '../../services/dns-dhcp/refresh-rows.ts';
import { rulesColumn } from '../../services/firewall/interface-rules.ts';
import { addressedHosts } from '../../services/network-boot/refresh-rows.ts';
import { DATASTORES, datastoresFrom } from '../../services/storage/refresh-rows.ts';

const SHARED = `SELECT ${ALL_DOCUMENTS} AS documents, ${DATASTORES}, ${dnsDhcpColumns('?1', '?2')}, ${rulesColumn('?3')}`;

type SharedRow = Record<
  'documents' | 'scopes' | 'datastores' | 'options' | 'zones' | 'records' | 'reservations' | 'operators' | 'rules',
  string
>;

/** Everything that a change may concern. `declared` names the settings documents that bind to interfaces. */
export async function loadSnapshot(
  db: Database,
  change: Change,
  declared: readonly ServiceDependents[],
): Promise<Snapshot> {
  const gained = [...change.affected].flatMap((name) => standingIn(change.after, name).addresses);
  const snapshot = await loadShared(db, declared, {
    gained,
    replaced: [...change.replaced.keys()],
    removed: [...change.removed],
  });
  if (!scopesInForce(snapshot).some((scope) => mayMove(scope, change))) return snapshot;
  const reservations = await allReservations(db);
  const kept = await registeredRecords(db);
  const boot_hosts = await addressedHosts(db);
  const records = [...new Map([...snapshot.records, ...kept].map((record) => [record.id, record])).values()];
  return { ...snapshot, reservations, records, boot_hosts };
}

/**
 * What every edit may touch, in one statement. Of the reservations only those at addresses that an interface gains; what
 * is kept for reservations is left out.
 */
export async function loadShared(
  db: Database,
  declared: readonly Pick<ServiceDependents, 'key'>[],
  about: { gained: readonly string[]; replaced: readonly string[]; removed: readonly string[] } = NOTHING,
): Promise<Snapshot> {
  const row = (await db.one<SharedRow>(SHARED, [
    JSON.stringify(about.gained),
    JSON.stringify(about.replaced),
    JSON.stringify(about.removed),
  ]))!;
  const documents = new Map(Object.entries(JSON.parse(row.documents) as Record<string, ServiceDocument>));
  return {
    appliance: applianceOf(documents.get('network'), documents.get('firewall')),
    services: declared.flatMap(({ key }) => {
      const document = documents.get(key);
      return document ? [{ key, document: { ...document, listen_addresses: document.listen_addresses ?? [] } }] : [];
    }),
    scopes: JSON.parse(row.scopes) as ScopeRow[],
    legacy: legacyOf(documents.get(LEGACY_KEY)),
    options: JSON.parse(row.options) as OptionRow[],
    datastores: datastoresFrom(row.datastores),
    storage: documents.get(MOUNT_SERVER.key) ?? null,
    zones: new Map(Object.entries(JSON.parse(row.zones) as Record<string, string>)),
    records: JSON.parse(row.records) as RecordRow[],
    operators: JSON.parse(row.operators) as Snapshot['operators'],
    rules: JSON.parse(row.rules) as NonNullable<Snapshot['rules']>,
    reservations: (JSON.parse(row.reservations) as string[]).map(reservationOf),
    boot_hosts: [],
  };
}

const NOTHING = { gained: [], replaced: [], removed: [] };

/** A firewall that was never saved is on and lets everybody to the management UI. */
function applianceOf(network: object | undefined, firewall: ServiceDocument | undefined): ApplianceRow {
  const { dns_servers = [] } = (network ?? {}) as Partial<ApplianceRow>;
  const { management_networks = [] } = (firewall?.enabled ? firewall : {}) as Partial<ApplianceRow>;
  return { dns_servers, management_networks };
}

function legacyOf(document: unknown): ScopeRow | null {
  if (document === undefined) return null;
  const { interface: name, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, enabled } = document as ScopeRow;
  return {
    id: LEGACY_SCOPE,
    name: 'legacy',
    address_family: 'ipv4',
    interface: name,
    subnet_cidr,
    ranges,
    gateway,
    dns_servers,
    ntp_servers,
    enabled,
  };
}

/** Whether the scope's subnet can change, as far as its interface tells. */
function mayMove({ enabled, interface: name, address_family }: ScopeRow, change: Change): boolean {
  if (!enabled || !change.affected.has(name)) return false;
  const [before, after] = [change.before, change.after].map((all) => standingIn(all, name).networks[address_family]);
  return after !== null && before?.text !== after?.text;
}
