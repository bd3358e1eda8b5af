// Schema 38: volumes on disks that the appliance formats. What it made on a disk stays with the volume; an order to do work on
// the disk is typed for one plan, and gone with it.
import type { Knex } from 'knex';

export const name = '0038-disks';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const COUNTED = [
  ...['name', 'device', 'mount_path', 'enabled', 'filesystem', 'filesystem_uuid', 'filesystem_bytes'],
  ...['disk_fingerprint'],
];

const STATEMENTS = [
  // '': a filesystem that somebody else made, of which nothing is known.
  "ALTER TABLE storage_volume ADD COLUMN filesystem TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE storage_volume ADD COLUMN filesystem_uuid TEXT NOT NULL DEFAULT ''",
  // Bytes of the disk that it was made or grown for.
  'ALTER TABLE storage_volume ADD COLUMN filesystem_bytes INTEGER NOT NULL DEFAULT 0',
  "ALTER TABLE storage_volume ADD COLUMN disk_fingerprint TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE storage_volume ADD COLUMN ordered_work TEXT NOT NULL DEFAULT ''",
  // The plan that the order belongs to, from its submit to its end.
  "ALTER TABLE storage_volume ADD COLUMN ordered_plan TEXT NOT NULL DEFAULT ''",
  'DROP TRIGGER storage_volume_update_storage',
  // An order that comes makes plans of before stale; one that ends with its plan changes nothing that could be applied.
  `CREATE TRIGGER storage_volume_update_storage AFTER UPDATE ON storage_volume
    WHEN ${COUNTED.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}
      OR (OLD.ordered_work IS NOT NEW.ordered_work AND NEW.ordered_work <> '')
    BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'storage'; END`,
];
