// Schema 12: a name service whose clients are not named answers the appliance's own networks alone. The firewall follows
// these networks, and what an older release opened to everybody waits as a change to be reviewed. What DHCP serves follows
// the names of the appliance's services.
import type { Knex } from 'knex';

export const name = '0012-own-networks';

export async function up(knex: Knex): Promise<void> {
  for (const statement of [...TRIGGERS, ...NAMES, REVIEW]) await knex.raw(statement);
}

const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'firewall'";
const differ = (...columns: string[]): string =>
  columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');

/** Whether the name service is open to the own networks. */
const OPEN = `EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'dns-dhcp' AND json_extract(document, '$.enabled')
    AND (coalesce(json_array_length(document, '$.allowed_clients'), 0) = 0
      OR EXISTS (SELECT 1 FROM json_each(document, '$.allowed_clients') WHERE value = 'localnets')))`;
const DHCP_ON = "EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'dhcp' AND json_extract(document, '$.enabled'))";

/** Addresses that the network gave: its network is not saved, but reported. */
const reported = (row: 'OLD' | 'NEW'): string => `iif(${row}.ipv4_method = 'dhcp'
    OR (${row}.ipv6_enabled = 1 AND ${row}.ipv6_cidr = ''), json_extract(${row}.observed, '$.ipv4_cidrs', '$.ipv6_cidrs'), '')`;
const grows = (trigger: string, table: string, when: string): string =>
  `CREATE TRIGGER ${trigger} AFTER UPDATE ON ${table} WHEN ${when} BEGIN ${GROW}; END`;

/** Rows that come, go or are switched have triggers since 0003. */
const TRIGGERS = [
  grows(
    'interface_update_firewall_own',
    'interface',
    `OLD.enabled = 1 AND NEW.enabled = 1 AND (${differ('ipv4_cidr', 'ipv6_cidr')}
      OR ${reported('OLD')} IS NOT ${reported('NEW')}) AND ${OPEN}`,
  ),
  grows(
    'dhcp_scope_update_firewall_own',
    'dhcp_scope',
    `OLD.enabled = 1 AND NEW.enabled = 1 AND ${differ('subnet_cidr')} AND ${DHCP_ON} AND ${OPEN}`,
  ),
  grows(
    'unit_settings_update_firewall_own',
    'unit_settings',
    `NEW.unit = 'dhcp-legacy-binding' AND json_extract(OLD.document, '$.subnet_cidr')
      IS NOT json_extract(NEW.document, '$.subnet_cidr') AND ${DHCP_ON} AND ${OPEN}`,
  ),
];

/** Names of services, which no client of DHCP may give itself. */
const named = (row: 'OLD' | 'NEW'): string =>
  `coalesce(json_extract(${row}.document, '$.hostname'), '') || ' ' || coalesce(json_extract(${row}.document, '$.portal_hostname'), '')`;
const follows = (event: 'INSERT' | 'UPDATE', when: string): string =>
  `CREATE TRIGGER unit_settings_${event.toLowerCase()}_dns_dhcp_names AFTER ${event} ON unit_settings
    WHEN ${when} AND ${DHCP_ON}
    BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp'; END`;
const NAMES = [
  follows('INSERT', `${named('NEW')} <> ' '`),
  follows('UPDATE', `${named('OLD')} <> ${named('NEW')}`),
  // What an older release rendered without them waits as a change.
  `UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp' AND ${DHCP_ON}
    AND EXISTS (SELECT 1 FROM unit_settings, json_each(document) AS member
      WHERE member.key IN ('hostname', 'portal_hostname') AND member.atom <> '')`,
];

// A firewall that was never saved is on.
const REVIEW = `${GROW} AND ${OPEN} AND coalesce((SELECT json_extract(document, '$.enabled') FROM unit_settings
    WHERE unit = 'firewall'), 1)`;
