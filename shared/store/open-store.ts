// From a data folder to an open store: migrate, refuse what a newer program wrote, open the connections.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Observe } from './connection.ts';
import { migratingKnex } from './migrating-knex.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { StartFault } from './start-fault.ts';
import { Store } from './store.ts';

export const DATABASE_FILE = 'groundcrew.sqlite';

export { StartFault };

/** The schema version that this program writes (PRAGMA user_version). */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Opens the database in `folder`, making the folder (mode 0700) and migrating when needed.
 * @throws StartFault when the database was written by a newer program.
 */
export async function openStore(folder: string, observe?: Observe): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, DATABASE_FILE);
  const probe = await Store.open(file);
  const [row] = await probe.all<{ user_version: number }>('PRAGMA user_version');
  const found = row?.user_version ?? 0;
  if (found > SCHEMA_VERSION) {
    await probe.close();
    throw new StartFault(
      `The database ${file} has schema ${found}; this program knows up to ${SCHEMA_VERSION}. Start the newer program, or restore a backup made by this one.`,
    );
  }
  if (found === SCHEMA_VERSION && !observe) return probe;
  await probe.close();
  if (found < SCHEMA_VERSION) await migrate(file);
  return Store.open(file, observe);
}

/** Runs the missing migrations, all in one transaction, each together with its version number. */
export async function migrate(file: string, upTo = SCHEMA_VERSION): Promise<void> {
  const knex = await migratingKnex(file);
  try {
    await knex.raw('PRAGMA journal_mode = WAL');
    await knex.raw('PRAGMA synchronous = FULL');
    await knex.migrate.latest({
      tableName: 'schema_migration',
      migrationSource: {
        getMigrations: async () => MIGRATIONS.slice(0, upTo).map((_, index) => index),
        getMigrationName: (index: number) => MIGRATIONS[index]!.name,
        getMigration: async (index: number) => ({
          up: async (transaction: Knex) => {
            await MIGRATIONS[index]!.up(transaction);
            await transaction.raw(`PRAGMA user_version = ${index + 1}`);
          },
          down: async () => {
            throw new Error('Migrations only go forward; restore a backup instead.');
          },
        }),
      },
    });
  } finally {
    await knex.destroy();
  }
}
