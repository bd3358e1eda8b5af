// Schema 13: the boot listener that a DHCP scope points its machines to.
import type { Knex } from 'knex';

export const name = '0013-boot-listener';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'network-boot'";
const BOOTS =
  "EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'network-boot' AND json_extract(document, '$.enabled'))";
const COLUMNS = ['enabled', 'name', 'interface', 'gateway', 'boot_listener'];
const differ = COLUMNS.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');

/** What the unit renders of a scope: nothing while it says the same as its interface does by itself. */
const told = (row: 'OLD' | 'NEW'): string => `(${row}.enabled = 1 AND ${row}.address_family = 'ipv4'
  AND (${row}.boot_listener <> '' OR NOT EXISTS (SELECT 1 FROM unit_settings, json_each(document, '$.listen_interfaces')
    WHERE unit = 'network-boot' AND value = ${row}.interface)))`;

const STATEMENTS = [
  // Name of an interface; empty: the one of the scope, or else the only one that there is.
  "ALTER TABLE dhcp_scope ADD COLUMN boot_listener TEXT NOT NULL DEFAULT ''",
  `CREATE TRIGGER dhcp_scope_insert_boot AFTER INSERT ON dhcp_scope WHEN ${BOOTS} AND ${told('NEW')} BEGIN ${GROW}; END`,
  `CREATE TRIGGER dhcp_scope_delete_boot AFTER DELETE ON dhcp_scope WHEN ${BOOTS} AND ${told('OLD')} BEGIN ${GROW}; END`,
  `CREATE TRIGGER dhcp_scope_update_boot AFTER UPDATE ON dhcp_scope
    WHEN ${BOOTS} AND (${differ}) AND (${told('OLD')} OR ${told('NEW')}) BEGIN ${GROW}; END`,
  // An empty boot URL means the appliance's own boot program from now on: what is in force says something else.
  `${GROW} AND ${BOOTS}`,
];
