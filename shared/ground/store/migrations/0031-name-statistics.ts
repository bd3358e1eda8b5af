// Schema of the name service's statistics: saved settings say that it keeps them to itself, as it did.
import type { Knex } from 'knex';

export const name = '0031-name-statistics';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `UPDATE unit_settings SET document = json_set(document, '$.statistics', json('false')) WHERE unit = 'dns-dhcp'`,
  );
}
