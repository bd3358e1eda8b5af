// Schema of health: how plans and jobs ended is found without reading them, and saved settings of the name service say that it
// keeps its statistics to itself, as it did.
import type { Knex } from 'knex';

export const name = '0031-health';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX plan_ended ON plan(state, finished_at)');
  await knex.raw('CREATE INDEX job_ended ON job(kind, state, finished_at)');
  const versions = (await knex('unit_state').select('unit', 'desired_version')) as {
    unit: string;
    desired_version: number;
  }[];
  await knex.raw(
    `UPDATE unit_settings SET document = json_set(document, '$.statistics', json('false')) WHERE unit = 'dns-dhcp'`,
  );
  // The trigger counted it as an edit; nothing changed that an apply would bring to the host.
  for (const { unit, desired_version } of versions)
    await knex('unit_state').where({ unit }).update({ desired_version });
}
