// Schema 3: what the units need that an apply enforces from this release on, and what the host was last found to be.
import type { Knex } from 'knex';

export const name = '0003-enforced';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [...DRIFT, ...FIREWALL, ...NTP, ...counters(), ...DHCP]) await knex.raw(statement);
}

/** One row for each unit that was compared with the host; `first_seen_at` is set while the host differs. */
const DRIFT = [
  `CREATE TABLE unit_drift (
    unit TEXT PRIMARY KEY, state TEXT NOT NULL, checked_at TEXT NOT NULL, first_seen_at TEXT, last_seen_at TEXT,
    lines TEXT NOT NULL DEFAULT '[]', more INTEGER NOT NULL DEFAULT 0) STRICT`,
];

/** The operator's own rules of the packet filter. */
const FIREWALL = [
  `CREATE TABLE firewall_rule (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, position INTEGER NOT NULL, action TEXT NOT NULL,
    direction TEXT NOT NULL, interface TEXT NOT NULL, source_cidr TEXT NOT NULL, destination_cidr TEXT NOT NULL,
    protocol TEXT NOT NULL, ports TEXT NOT NULL, log INTEGER NOT NULL, description TEXT NOT NULL DEFAULT '',
    enabled INTEGER NOT NULL DEFAULT 1, revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX firewall_rule_order ON firewall_rule(position, name)',
  // Its settings filter by default, so an appliance of an older release that has interfaces has something to apply.
  "INSERT INTO unit_state (unit, desired_version) SELECT 'firewall', count(*) > 0 FROM interface",
];

const NTP = [
  // What an older release saved is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'ntp',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'ntp') OR EXISTS (SELECT 1 FROM ntp_source)`,
];

interface Feed {
  table: string;
  unit: string;
  events: string[];
  when?: string;
}

/** What decides where a service can be reached, and by whom; nothing else of its settings concerns the firewall. */
const REACH = [
  'listen_interfaces',
  'interface',
  'port',
  'http_port',
  'tftp_enabled',
  'ldap_port',
  'ldap_enabled',
  'ldaps_port',
  'ldaps_enabled',
  'nts_enabled',
  'allowed_clients',
];
const reach = (row: 'OLD' | 'NEW'): string =>
  `iif(json_extract(${row}.document, '$.enabled'), json_extract(${row}.document, ${REACH.map((name) => `'$.${name}'`).join(', ')}), '')`;
const differ = (...columns: string[]): string =>
  columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
/** Rows that are switched off say nothing to the firewall. */
const inUse = (event: string): string =>
  ({ INSERT: 'NEW.enabled = 1', DELETE: 'OLD.enabled = 1' })[event] ?? '(OLD.enabled = 1 OR NEW.enabled = 1)';

/**
 * Whether the time service has to know of an interface: one that it listens on, or the trunk below one. With several
 * addresses, or with one that only the network knows, it also refuses the networks of all others.
 */
const tellsTime = (row: 'OLD' | 'NEW'): string => `EXISTS (SELECT 1 FROM unit_settings
  WHERE unit = 'ntp' AND json_extract(document, '$.enabled') AND (json_array_length(document, '$.listen_interfaces') > 1
    OR EXISTS (SELECT 1 FROM json_each(document, '$.listen_interfaces') LEFT JOIN interface ON interface.name = value
      WHERE value = ${row}.name OR parent_interface = ${row}.name OR ipv4_method = 'dhcp'
        OR (ipv6_enabled = 1 AND ipv6_cidr = ''))))`;

/** What each table feeds: as in 0001, a version that grows by trigger. */
const FEEDS: Feed[] = [
  { table: 'interface', unit: 'firewall', events: ['INSERT'], when: "NEW.enabled = 1 AND NEW.role <> 'unused'" },
  { table: 'interface', unit: 'firewall', events: ['DELETE'], when: "OLD.enabled = 1 AND OLD.role <> 'unused'" },
  {
    table: 'interface',
    unit: 'firewall',
    events: ['UPDATE'],
    when: `${differ('name', 'enabled', 'mode', 'role', 'ipv4_method', 'ipv6_enabled', 'access_management_ui_enabled')}
      OR (OLD.ipv6_cidr = '') IS NOT (NEW.ipv6_cidr = '')`,
  },
  {
    table: 'unit_settings',
    unit: 'firewall',
    events: ['INSERT'],
    when: "NEW.unit <> 'firewall' AND json_extract(NEW.document, '$.enabled')",
  },
  {
    table: 'unit_settings',
    unit: 'firewall',
    events: ['UPDATE'],
    when: `NEW.unit <> 'firewall' AND ${reach('OLD')} IS NOT ${reach('NEW')}`,
  },
  ...['INSERT', 'DELETE'].flatMap((event) =>
    ['firewall_rule', 'dhcp_scope', 'storage_datastore'].map(
      (table): Feed => ({ table, unit: 'firewall', events: [event], when: inUse(event) }),
    ),
  ),
  {
    table: 'firewall_rule',
    unit: 'firewall',
    events: ['UPDATE'],
    when: `${inUse('UPDATE')} AND (${differ('enabled', 'name', 'position', 'action', 'direction', 'interface', 'source_cidr', 'destination_cidr', 'protocol', 'ports', 'log')})`,
  },
  {
    table: 'dhcp_scope',
    unit: 'firewall',
    events: ['UPDATE'],
    when: `${inUse('UPDATE')} AND (${differ('enabled', 'interface')})`,
  },
  {
    table: 'storage_datastore',
    unit: 'firewall',
    events: ['UPDATE'],
    when: `${inUse('UPDATE')} AND (${differ('enabled', 'name', 'interface', 'nfs_version', 'address_families', 'ipv4_clients', 'ipv6_clients')})`,
  },
  { table: 'interface', unit: 'ntp', events: ['INSERT'], when: tellsTime('NEW') },
  { table: 'interface', unit: 'ntp', events: ['DELETE'], when: tellsTime('OLD') },
  {
    table: 'interface',
    unit: 'ntp',
    events: ['UPDATE'],
    when: `(${differ('name', 'enabled', 'present', 'mode', 'ipv4_method', 'ipv4_cidr', 'ipv6_enabled', 'ipv6_cidr')}
      OR (OLD.role = 'unused') IS NOT (NEW.role = 'unused')) AND (${tellsTime('OLD')} OR ${tellsTime('NEW')})`,
  },
  { table: 'ntp_source', unit: 'ntp', events: ['INSERT'], when: inUse('INSERT') },
  { table: 'ntp_source', unit: 'ntp', events: ['DELETE'], when: inUse('DELETE') },
  {
    table: 'ntp_source',
    unit: 'ntp',
    events: ['UPDATE'],
    when: `${inUse('UPDATE')} AND (${differ('enabled', 'address', 'kind', 'nts', 'prefer')})`,
  },
];

function counters(): string[] {
  return FEEDS.flatMap(({ table, unit, events, when }) =>
    events.map((event) => {
      const trigger = `${table}_${event.toLowerCase()}_${unit.replaceAll('-', '_')}`;
      return `CREATE TRIGGER ${trigger} AFTER ${event} ON ${table} ${when ? `WHEN ${when}` : ''}
        BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = '${unit}'; END`;
    }),
  );
}

/** While DHCP is off nothing of it concerns the host; switching it on counts by itself. */
const DHCP_ON = "EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'dhcp' AND json_extract(document, '$.enabled'))";

const carriesScope = (row: 'OLD' | 'NEW'): string => `EXISTS (SELECT 1 FROM dhcp_scope
  WHERE interface = ${row}.name AND enabled = 1 UNION ALL SELECT 1 FROM unit_settings
  WHERE unit = 'dhcp-legacy-binding' AND json_extract(document, '$.interface') = ${row}.name)`;

/** Names of their own: 0001 has triggers of the name service on some of the same tables. */
const DHCP_FEEDS: Omit<Feed, 'unit'>[] = [
  // Also one that is off: with the first scope the legacy binding ends, with the last it begins.
  { table: 'dhcp_scope', events: ['INSERT', 'DELETE'], when: DHCP_ON },
  {
    table: 'dhcp_scope',
    events: ['UPDATE'],
    when: `${DHCP_ON} AND ${inUse('UPDATE')} AND (${differ('enabled', 'name', 'interface', 'subnet_cidr', 'ranges', 'gateway', 'dns_servers', 'ntp_servers', 'lease_time', 'domain')})`,
  },
  ...['dhcp_option', 'dhcp_reservation'].flatMap((table) =>
    ['INSERT', 'DELETE'].map((event) => ({ table, events: [event], when: `${DHCP_ON} AND ${inUse(event)}` })),
  ),
  {
    table: 'dhcp_option',
    events: ['UPDATE'],
    when: `${DHCP_ON} AND ${inUse('UPDATE')} AND (${differ('enabled', 'scope_id', 'address_family', 'code', 'value')})`,
  },
  {
    table: 'dhcp_reservation',
    events: ['UPDATE'],
    when: `${DHCP_ON} AND ${inUse('UPDATE')} AND (${differ('enabled', 'hostname', 'mac_address', 'ip_address')})`,
  },
  { table: 'interface', events: ['INSERT'], when: `${DHCP_ON} AND ${carriesScope('NEW')}` },
  { table: 'interface', events: ['DELETE'], when: `${DHCP_ON} AND ${carriesScope('OLD')}` },
  {
    table: 'interface',
    events: ['UPDATE'],
    when: `${DHCP_ON} AND (${differ('name', 'enabled', 'present', 'role', 'mode', 'ipv4_method', 'ipv4_cidr', 'ipv6_enabled', 'ipv6_cidr')})
      AND (${carriesScope('OLD')} OR ${carriesScope('NEW')})`,
  },
  {
    table: 'unit_settings',
    events: ['INSERT'],
    when: "NEW.unit = 'dhcp' AND json_extract(NEW.document, '$.enabled')",
  },
  {
    table: 'unit_settings',
    events: ['UPDATE'],
    when: `NEW.unit = 'dhcp' AND json_extract(OLD.document, '$.enabled', '$.authoritative')
      IS NOT json_extract(NEW.document, '$.enabled', '$.authoritative')`,
  },
];

const DHCP = [
  ...DHCP_FEEDS.flatMap(({ table, events, when }) =>
    events.map(
      (event) => `CREATE TRIGGER ${table}_${event.toLowerCase()}_dhcp AFTER ${event} ON ${table} WHEN ${when}
        BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp'; END`,
    ),
  ),
  ...['INSERT', 'UPDATE'].map(
    (event) => `CREATE TRIGGER legacy_binding_${event.toLowerCase()}_dhcp AFTER ${event} ON unit_settings
      WHEN NEW.unit = 'dhcp-legacy-binding' AND ${DHCP_ON} AND NOT EXISTS (SELECT 1 FROM dhcp_scope)
        BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp'; END`,
  ),
  // What an older release saved is still to be applied.
  `UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp' AND ${DHCP_ON}`,
];
