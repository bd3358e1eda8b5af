// Schema 2: what depends on addresses. DHCP scopes, options and reservations, time sources, storage volumes and
// datastores, hosts of network boot; and the addresses that each service answers on, kept with its settings.
import type { Knex } from 'knex';

export const name = '0002-dependents';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [...DHCP, ...SERVICES, ...OWNED, ...LISTENING, ...PENDING]) await knex.raw(statement);
}

/** Columns that every collection ends with. */
const KEPT = `description TEXT NOT NULL DEFAULT '', enabled INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL`;

// Lists (ranges, servers, clients) are JSON texts: they are only ever read and written as a whole.
const DHCP = [
  `CREATE TABLE dhcp_scope (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, address_family TEXT NOT NULL, interface TEXT NOT NULL,
    subnet_cidr TEXT NOT NULL, ranges TEXT NOT NULL, gateway TEXT NOT NULL, dns_servers TEXT NOT NULL,
    ntp_servers TEXT NOT NULL, lease_time INTEGER NOT NULL, domain TEXT NOT NULL, ${KEPT}) STRICT`,
  `CREATE TABLE dhcp_option (
    id TEXT PRIMARY KEY, scope_id TEXT REFERENCES dhcp_scope(id) ON DELETE CASCADE, code INTEGER NOT NULL,
    address_family TEXT NOT NULL, value TEXT NOT NULL, ${KEPT}) STRICT`,
  "CREATE UNIQUE INDEX dhcp_option_key ON dhcp_option(coalesce(scope_id, ''), address_family, code)",
  `CREATE TABLE dhcp_reservation (
    id TEXT PRIMARY KEY, hostname TEXT NOT NULL, mac_address TEXT NOT NULL, address_family TEXT NOT NULL,
    ip_address TEXT NOT NULL UNIQUE, register_dns INTEGER NOT NULL DEFAULT 0, owner_source TEXT, owner_ref TEXT,
    owner_component TEXT, ${KEPT}, UNIQUE (mac_address, address_family)) STRICT`,
  'CREATE INDEX dhcp_reservation_hostname ON dhcp_reservation(hostname, id)',
];

const SERVICES = [
  `CREATE TABLE ntp_source (
    id TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, nts INTEGER NOT NULL,
    prefer INTEGER NOT NULL, ${KEPT}) STRICT`,
  `CREATE TABLE storage_volume (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, device TEXT NOT NULL UNIQUE, mount_path TEXT NOT NULL UNIQUE,
    ${KEPT}) STRICT`,
  `CREATE TABLE storage_datastore (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, volume_id TEXT NOT NULL REFERENCES storage_volume(id),
    path TEXT NOT NULL, nfs_version TEXT NOT NULL, interface TEXT NOT NULL, address_families TEXT NOT NULL,
    addresses TEXT NOT NULL, ipv4_clients TEXT NOT NULL, ipv6_clients TEXT NOT NULL, ${KEPT}) STRICT`,
  `CREATE TABLE network_boot_host (
    id TEXT PRIMARY KEY, hostname TEXT NOT NULL UNIQUE, mac_address TEXT NOT NULL UNIQUE, ip_address TEXT NOT NULL,
    ${KEPT}) STRICT`,
];

/** Records that the appliance keeps itself are looked up by their owner; there are few of them among many. */
const OWNED = [
  'CREATE INDEX dns_record_owner ON dns_record(owner_source, owner_ref) WHERE owner_source IS NOT NULL',
  'CREATE INDEX dhcp_reservation_owner ON dhcp_reservation(owner_source, owner_ref) WHERE owner_source IS NOT NULL',
];

const CARRIES = "enabled = 1 AND mode <> 'trunk' AND role <> 'unused'";

/** The name service kept only the interfaces; from now on each settings document also holds their addresses. */
const LISTENING = [
  `UPDATE unit_settings SET document = json_set(document, '$.listen_addresses', json((
    SELECT json_group_array(substr(cidr, 1, instr(cidr, '/') - 1)) FROM (
      SELECT chosen.key AS place, 4 AS family, ipv4_cidr AS cidr, ${CARRIES} AS carries
        FROM json_each(document, '$.listen_interfaces') chosen JOIN interface ON interface.name = chosen.value
      UNION ALL SELECT chosen.key, 6, ipv6_cidr, ${CARRIES}
        FROM json_each(document, '$.listen_interfaces') chosen JOIN interface ON interface.name = chosen.value
      ORDER BY place, family)
    WHERE cidr <> '' AND carries))) WHERE unit = 'dns-dhcp'`,
];

/**
 * Settings of the DHCP half are a document of their own, and no apply enforces them yet. Of the network's own settings
 * (the appliance's name and resolvers) none is enforced yet either, so saving them must not ask for an apply.
 */
const PENDING = ['insert', 'update'].flatMap((event) => [
  `DROP TRIGGER unit_settings_${event}`,
  `CREATE TRIGGER unit_settings_${event} AFTER ${event.toUpperCase()} ON unit_settings WHEN NEW.unit <> 'network'
    BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = NEW.unit; END`,
]);
