// A datastore may have a size limit. It counts like what else is exported.
import type { Knex } from 'knex';

export const name = '0037-datastore-limits';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const COUNTED = [
  ...['name', 'volume_id', 'path', 'nfs_version', 'interface', 'address_families', 'addresses'],
  ...['ipv4_clients', 'ipv6_clients', 'size_limit_gib', 'enabled'],
];

const STATEMENTS = [
  // 0: no limit.
  `ALTER TABLE storage_datastore ADD COLUMN size_limit_gib INTEGER NOT NULL DEFAULT 0
    CHECK (size_limit_gib BETWEEN 0 AND 1048576)`,
  'DROP TRIGGER storage_datastore_update_storage',
  `CREATE TRIGGER storage_datastore_update_storage AFTER UPDATE ON storage_datastore
    WHEN ${COUNTED.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}
    BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'storage'; END`,
];
