// Schema of the name service's statistics: saved settings say that it keeps them to itself, as it did.
import type { Knex } from 'knex';

export const name = '0031-name-statistics';

export async function up(knex: Knex): Promise<void> {
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
