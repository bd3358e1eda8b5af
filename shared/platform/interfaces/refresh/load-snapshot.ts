// Reads what the refresh looks at: one statement for what every edit may touch, and three more when a scope moves and
// its reservations may have to follow.
import type { Database } from '../../../ground/store/database.ts';
import type { Change } from './change.ts';
import { scopesInForce } from './refresh.ts';
import {
  type ApplianceRow,
  type BootHostRow,
  type DatastoreRow,
  LEGACY_SCOPE,
  type OptionRow,
  OWNER,
  type RecordRow,
  type ReservationRow,
  type ScopeRow,
  type ServiceDependents,
  type ServiceDocument,
  type Snapshot,
} from './snapshot.ts';
import { standingIn } from './standing.ts';

const LEGACY_KEY = 'dhcp-legacy-binding';

const OWNER_JSON =
  "CASE WHEN owner_source IS NULL THEN NULL ELSE json_object('source', owner_source, 'ref', owner_ref) END";
const RECORD_JSON = `json_object('id', id, 'fqdn', fqdn, 'type', type, 'value', value, 'owner', json(${OWNER_JSON}))`;
const flag = (column: string): string => `json(iif(${column} = 1, 'true', 'false'))`;

/** Records that the appliance keeps for services, and every address record and alias of the services' names. */
const SERVICE_RECORDS = `SELECT json_group_array(${RECORD_JSON}) FROM dns_record
  WHERE (owner_source = '${OWNER.service}') OR (type IN ('A', 'AAAA', 'CNAME') AND fqdn IN (
    SELECT atom FROM unit_settings, json_each(document)
    WHERE key IN ('hostname', 'portal_hostname') AND atom <> ''))`;

// One column a row: the driver's cost goes with cells. No part of a line contains a blank; the owner comes last.
const RESERVATIONS = `SELECT id || ' ' || ip_address || ' ' || mac_address || ' ' || enabled || ' ' || hostname || ' ' ||
    coalesce(owner_source || ' ' || owner_ref, '') AS line FROM dhcp_reservation`;

const SHARED = `SELECT
  (SELECT json_group_array(json_object('key', unit, 'document', json(document))) FROM unit_settings) AS documents,
  (SELECT json_group_array(json_object('id', id, 'name', name, 'address_family', address_family,
      'interface', interface, 'subnet_cidr', subnet_cidr, 'ranges', json(ranges), 'gateway', gateway,
      'dns_servers', json(dns_servers), 'ntp_servers', json(ntp_servers), 'enabled', ${flag('enabled')}))
    FROM (SELECT * FROM dhcp_scope ORDER BY name)) AS scopes,
  (SELECT json_group_array(json_object('id', id, 'name', name, 'interface', interface,
      'address_families', json(address_families), 'addresses', json(addresses),
      'ipv4_clients', json(ipv4_clients), 'ipv6_clients', json(ipv6_clients), 'enabled', ${flag('enabled')}))
    FROM (SELECT * FROM storage_datastore ORDER BY name)) AS datastores,
  (SELECT json_group_array(json_object('id', id, 'code', code, 'value', value, 'enabled', ${flag('enabled')}))
    FROM dhcp_option) AS options,
  (SELECT json_group_object(name, id) FROM dns_zone) AS zones,
  (${SERVICE_RECORDS}) AS records,
  (SELECT json_group_array(line) FROM (${RESERVATIONS} WHERE ip_address IN (SELECT value FROM json_each(?1)))) AS reservations,
  (SELECT json_group_array(json_object('fqdn', fqdn, 'value', value)) FROM (SELECT fqdn, value FROM dns_record
    WHERE owner_source IS NULL AND type IN ('A', 'AAAA') AND value IN (SELECT value FROM json_each(?2))
    ORDER BY fqdn LIMIT 20)) AS operators`;

const KEPT_RECORDS = `SELECT id || ' ' || fqdn || ' ' || type || ' ' || value || ' ' ||
    coalesce(owner_source || ' ' || owner_ref, '') AS line FROM dns_record
  WHERE type IN ('A', 'AAAA') AND fqdn IN (SELECT fqdn FROM dns_record WHERE owner_source = '${OWNER.reservation}')`;
const HOSTS = "SELECT id, hostname, mac_address, ip_address, enabled FROM network_boot_host WHERE ip_address <> ''";

interface SharedRow {
  documents: string;
  scopes: string;
  datastores: string;
  options: string;
  zones: string;
  records: string;
  reservations: string;
  operators: string;
}

type StoredDatastore = Omit<DatastoreRow, 'clients'> & { ipv4_clients: string[]; ipv6_clients: string[] };

/** Everything that a change may concern. `declared` names the settings documents that bind to interfaces. */
export async function loadSnapshot(
  db: Database,
  change: Change,
  declared: readonly ServiceDependents[],
): Promise<Snapshot> {
  const gained = [...change.affected].flatMap((name) => standingIn(change.after, name).addresses);
  const snapshot = await loadShared(db, declared, { gained, replaced: [...change.replaced.keys()] });
  if (!scopesInForce(snapshot).some((scope) => mayMove(scope, change))) return snapshot;
  const reservations = await db.all<{ line: string }>(RESERVATIONS);
  const kept = await db.all<{ line: string }>(KEPT_RECORDS);
  const hosts = await db.all<Omit<BootHostRow, 'enabled'> & { enabled: number }>(HOSTS);
  return {
    ...snapshot,
    reservations: reservations.map(({ line }) => reservationOf(line)),
    records: [...new Map([...snapshot.records, ...kept.map(recordOf)].map((record) => [record.id, record])).values()],
    boot_hosts: hosts.map((host) => ({ ...host, enabled: host.enabled === 1 })),
  };
}

/**
 * What every edit may touch, in one statement. Of the reservations only those at addresses that an interface gains; what
 * is kept for reservations is left out.
 */
export async function loadShared(
  db: Database,
  declared: readonly Pick<ServiceDependents, 'key'>[],
  addresses: { gained: readonly string[]; replaced: readonly string[] } = { gained: [], replaced: [] },
): Promise<Snapshot> {
  const row = (await db.one<SharedRow>(SHARED, [
    JSON.stringify(addresses.gained),
    JSON.stringify(addresses.replaced),
  ]))!;
  const documents = new Map(
    (JSON.parse(row.documents) as { key: string; document: ServiceDocument }[]).map(({ key, document }) => [
      key,
      document,
    ]),
  );
  return {
    appliance: applianceOf(documents.get('network'), documents.get('firewall')),
    services: declared.flatMap(({ key }) => {
      const document = documents.get(key);
      return document ? [{ key, document: { ...document, listen_addresses: document.listen_addresses ?? [] } }] : [];
    }),
    scopes: JSON.parse(row.scopes) as ScopeRow[],
    legacy: legacyOf(documents.get(LEGACY_KEY)),
    options: JSON.parse(row.options) as OptionRow[],
    datastores: (JSON.parse(row.datastores) as StoredDatastore[]).map(({ ipv4_clients, ipv6_clients, ...rest }) => ({
      ...rest,
      clients: [...ipv4_clients, ...ipv6_clients],
    })),
    zones: new Map(Object.entries(JSON.parse(row.zones) as Record<string, string>)),
    records: JSON.parse(row.records) as RecordRow[],
    operators: JSON.parse(row.operators) as Snapshot['operators'],
    reservations: (JSON.parse(row.reservations) as string[]).map(reservationOf),
    boot_hosts: [],
  };
}

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

function reservationOf(line: string): ReservationRow {
  const [id, ip_address, mac_address, enabled, hostname, source, ref] = line.split(' ') as string[];
  return {
    id: id!,
    ip_address: ip_address!,
    mac_address: mac_address!,
    enabled: enabled === '1',
    hostname: hostname!,
    owner: source ? { source, ref: ref! } : null,
  };
}

function recordOf({ line }: { line: string }): RecordRow {
  const [id, fqdn, type, value, source, ref] = line.split(' ') as string[];
  return { id: id!, fqdn: fqdn!, type: type!, value: value!, owner: source ? { source, ref: ref ?? '' } : null };
}
