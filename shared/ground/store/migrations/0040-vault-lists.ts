// Schema 40: what the list of vaults says of their entries, without reading them: how many lack a value, and when one was last used.
import type { Knex } from 'knex';

export const name = '0040-vault-lists';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  'CREATE INDEX vault_entry_without_value ON vault_entry(vault_id, kek_id) WHERE kek_id IS NULL',
  'CREATE INDEX vault_entry_used ON vault_entry(vault_id, last_used_at) WHERE last_used_at IS NOT NULL',
];
