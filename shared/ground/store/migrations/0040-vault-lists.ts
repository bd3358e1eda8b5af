// Schema 40: what the list of vaults says, without reading their entries: how many lack a value, when one was last used, and
// whether a key is missing that any value needs; certificates were read for that, whether or not their keys are kept here.
import type { Knex } from 'knex';

export const name = '0040-vault-lists';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  'CREATE INDEX vault_entry_key ON vault_entry(vault_id, kek_id)',
  'CREATE INDEX vault_entry_used ON vault_entry(vault_id, last_used_at) WHERE last_used_at IS NOT NULL',
  "CREATE INDEX issued_certificate_kek ON issued_certificate(kek_id) WHERE kek_id <> ''",
];
