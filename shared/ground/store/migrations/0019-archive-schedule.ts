// Archives by the clock: where copies go, which copies are there, and since when the clock counts.
import type { Knex } from 'knex';

export const name = '0019-archive-schedule';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // `place` is JSON: what its kind needs. The secret that opens it is sealed.
  `CREATE TABLE archive_target (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('folder', 'sftp', 's3')),
    enabled INTEGER NOT NULL DEFAULT 1, place TEXT NOT NULL, kek_id TEXT, sealed_key TEXT, sealed_value TEXT,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    CHECK ((kek_id IS NULL) = (sealed_value IS NULL) AND (sealed_key IS NULL) = (sealed_value IS NULL))) STRICT`,
  'CREATE INDEX archive_target_kek ON archive_target(kek_id) WHERE kek_id IS NOT NULL',
  // Copies that were read back and were the same. Only these are ever deleted there.
  `CREATE TABLE archive_copy (
    id TEXT PRIMARY KEY, target_id TEXT NOT NULL REFERENCES archive_target(id) ON DELETE CASCADE, name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, made_at TEXT NOT NULL, verified_at TEXT NOT NULL,
    job_id TEXT NOT NULL, UNIQUE (target_id, name)) STRICT`,
  // One row: a time of the schedule up to this one was queued, or had passed before the schedule was switched on.
  `CREATE TABLE archive_clock (
    id TEXT PRIMARY KEY CHECK (id = 'schedule'), counted_from TEXT NOT NULL) STRICT`,
];
