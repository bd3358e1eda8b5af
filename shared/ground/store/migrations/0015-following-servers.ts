// Schema 15: an empty list of servers in a DHCP scope follows the appliance, and `none` gives none. What an older release
// saved keeps its effect: an empty list beside a service that listens there gave none. The same of datastores: an empty
// list of clients lets nobody in, and what meant everybody says so. What follows the time service
// follows its settings from now on. A physical interface is known by its name: one that takes the name of an earlier one
// counts its revisions on, so that no entity tag of that one fits it.
import type { Knex } from 'knex';

export const name = '0015-following-servers';

export async function up(knex: Knex): Promise<void> {
  const states = await knex('unit_state').select('unit', 'desired_version');
  for (const statement of [...SCOPES, ...LEGACY, ...DATASTORES]) await knex.raw(statement);
  // Clients are told what they were told, and let in where they were: there is nothing to apply.
  for (const { unit, desired_version } of states) await knex('unit_state').where({ unit }).update({ desired_version });
  for (const statement of [...TRIGGERS, ...FORMER]) await knex.raw(statement);
}

const LISTS = [
  ['dns_servers', 'dns-dhcp'],
  ['ntp_servers', 'ntp'],
] as const;

const listens = (unit: string, link: string): string => `EXISTS (SELECT 1
  FROM unit_settings AS service, json_each(service.document, '$.listen_interfaces') AS listener
  WHERE service.unit = '${unit}' AND json_extract(service.document, '$.enabled') AND listener.value = ${link})`;

/** One that is off gave nobody anything: its empty lists follow when it is switched on, as they were filled before. */
const SCOPES = LISTS.map(
  ([list, unit]) => `UPDATE dhcp_scope SET ${list} = '["none"]', revision = revision + 1
    WHERE enabled = 1 AND json_array_length(${list}) = 0 AND ${listens(unit, 'dhcp_scope.interface')}`,
);

const LEGACY = LISTS.map(
  ([list, unit]) => `UPDATE unit_settings SET document = json_set(document, '$.${list}', json('["none"]')),
    revision = revision + 1
    WHERE unit = 'dhcp-legacy-binding' AND json_extract(document, '$.enabled')
      AND coalesce(json_array_length(document, '$.${list}'), 0) = 0
      AND ${listens(unit, "json_extract(unit_settings.document, '$.interface')")}`,
);

const DATASTORES = (['ipv4', 'ipv6'] as const).map(
  (family) => `UPDATE storage_datastore SET ${family}_clients = '["any"]', revision = revision + 1
    WHERE json_array_length(${family}_clients) = 0
      AND EXISTS (SELECT 1 FROM json_each(address_families) WHERE value = '${family}')`,
);

/** Whether DHCP serves somebody who follows the time service. */
const FOLLOWED = `EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'dhcp' AND json_extract(document, '$.enabled'))
  AND (EXISTS (SELECT 1 FROM dhcp_scope WHERE enabled = 1 AND json_array_length(ntp_servers) = 0)
    OR (NOT EXISTS (SELECT 1 FROM dhcp_scope) AND EXISTS (SELECT 1 FROM unit_settings
      WHERE unit = 'dhcp-legacy-binding' AND json_extract(document, '$.enabled')
        AND json_array_length(document, '$.ntp_servers') = 0)))`;
const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'dns-dhcp'";
const said = (row: 'OLD' | 'NEW'): string => `json_extract(${row}.document, '$.enabled', '$.listen_interfaces')`;

const TRIGGERS = [
  `CREATE TRIGGER ntp_settings_insert_dhcp AFTER INSERT ON unit_settings
    WHEN NEW.unit = 'ntp' AND json_extract(NEW.document, '$.enabled') AND ${FOLLOWED} BEGIN ${GROW}; END`,
  `CREATE TRIGGER ntp_settings_update_dhcp AFTER UPDATE ON unit_settings
    WHEN NEW.unit = 'ntp' AND ${said('OLD')} IS NOT ${said('NEW')} AND ${FOLLOWED} BEGIN ${GROW}; END`,
];

/** Names in the middle of a rename begin with a tilde. */
const FORMER = [
  'CREATE TABLE former_interface (name TEXT PRIMARY KEY, last_revision INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  ...(['DELETE', 'UPDATE OF name'] as const).map(
    (event) => `CREATE TRIGGER interface_${event === 'DELETE' ? 'delete' : 'rename'}_former AFTER ${event} ON interface
      WHEN OLD.kind = 'physical' AND OLD.name NOT LIKE '~%'
      BEGIN INSERT INTO former_interface (name, last_revision) VALUES (OLD.name, OLD.revision)
        ON CONFLICT (name) DO UPDATE SET last_revision = max(last_revision, excluded.last_revision); END`,
  ),
  `CREATE TRIGGER interface_insert_former AFTER INSERT ON interface
    WHEN NEW.kind = 'physical' AND EXISTS (SELECT 1 FROM former_interface WHERE name = NEW.name)
    BEGIN UPDATE interface SET revision = NEW.revision + (SELECT last_revision FROM former_interface WHERE name = NEW.name)
      WHERE name = NEW.name; END`,
];
