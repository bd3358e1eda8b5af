// The web terminal is enforced from now on.
import type { Knex } from 'knex';

export const name = '0032-web-terminal';

export async function up(knex: Knex): Promise<void> {
  // What an older release saved of it is still to be applied.
  await knex.raw(`INSERT INTO unit_state (unit, desired_version) SELECT 'web-terminal',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'web-terminal')`);
}
