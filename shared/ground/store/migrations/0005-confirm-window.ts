// Schema 5: a plan may be submitted with a confirm window.
import type { Knex } from 'knex';

export const name = '0005-confirm-window';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE plan ADD COLUMN window TEXT');
}
