// Schema 14: what each service last answered when it was asked.
import type { Knex } from 'knex';

export const name = '0014-service-probes';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE unit_probe (
    unit TEXT PRIMARY KEY NOT NULL REFERENCES unit_state(unit),
    ok INTEGER NOT NULL,
    said TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    -- When this answer, good or bad, was first got.
    since TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`);
}
