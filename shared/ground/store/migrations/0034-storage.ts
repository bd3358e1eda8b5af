// Schema 34: storage is enforced. What is mounted and exported counts; descriptions, revisions and times do not.
import type { Knex } from 'knex';

export const name = '0034-storage';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'storage'";

const COUNTED: Readonly<Record<string, readonly string[]>> = {
  storage_volume: ['name', 'device', 'mount_path', 'enabled'],
  storage_datastore: [
    ...['name', 'volume_id', 'path', 'nfs_version', 'interface', 'address_families', 'addresses'],
    ...['ipv4_clients', 'ipv6_clients', 'enabled'],
  ],
};

const COUNTERS = Object.entries(COUNTED).flatMap(([table, columns]) => [
  ...['INSERT', 'DELETE'].map(
    (event) => `CREATE TRIGGER ${table}_${event.toLowerCase()}_storage AFTER ${event} ON ${table} BEGIN ${GROW}; END`,
  ),
  `CREATE TRIGGER ${table}_update_storage AFTER UPDATE ON ${table}
    WHEN ${columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')} BEGIN ${GROW}; END`,
]);

const STATEMENTS = [
  // What an older release saved is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'storage',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'storage')`,
  ...COUNTERS,
];
