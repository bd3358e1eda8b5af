// Runs the migrations that a database lacks.
import type { Knex } from 'knex';
import { migratingKnex } from './migrating-knex.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** All in one transaction, each together with its version number. */
export async function migrate(file: string, upTo: number): Promise<void> {
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
