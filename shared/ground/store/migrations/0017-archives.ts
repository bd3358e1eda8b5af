// Archives that lie on the appliance: those that were made here, and those that were uploaded to be restored.
import type { Knex } from 'knex';

export const name = '0017-archives';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // The bytes lie in a file beside the database. `sha256` is NULL until all of them are there.
  `CREATE TABLE archive (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, origin TEXT NOT NULL CHECK (origin IN ('made', 'uploaded')),
    state TEXT NOT NULL CHECK (state IN ('receiving', 'ready')),
    encryption TEXT NOT NULL CHECK (encryption IN ('none', 'passphrase', 'recipients', 'unknown')),
    size_bytes INTEGER NOT NULL, sha256 TEXT, created_by TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX archive_created_at ON archive(created_at, id)',
];
