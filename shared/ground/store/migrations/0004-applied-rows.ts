// Schema 4: an applied plan names the files with the desired rows that it put in force, one for each of its units.
import type { Knex } from 'knex';

export const name = '0004-applied-rows';

export async function up(knex: Knex): Promise<void> {
  // Unit → digest, as JSON. Null: a plan of an earlier release, one that was not applied, or one whose rows are gone.
  await knex.raw('ALTER TABLE plan ADD COLUMN applied_rows TEXT');
}
