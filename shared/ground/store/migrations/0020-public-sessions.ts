// Schema 20: where a session is one. Those of the public pages are no sessions of the management plane.
import type { Knex } from 'knex';

export const name = '0020-public-sessions';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    "ALTER TABLE session ADD COLUMN plane TEXT NOT NULL DEFAULT 'management' CHECK (plane IN ('management', 'public'))",
  );
}
