// Schema 8: vaults of credentials, and what Kickstarts name of them. A value is only ever stored sealed, under a key that is sealed itself.
import type { Knex } from 'knex';

export const name = '0008-vaults';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

// No vault is desired state of a unit: no trigger counts a version, and no applied plan keeps a copy of it. A Kickstart's
// own names follow from its text, whose revision is counted.
const STATEMENTS = [
  `CREATE TABLE vault (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '', created_by TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  // `uris` is JSON. An entry without a value has none of the three sealed columns.
  `CREATE TABLE vault_entry (
    id TEXT PRIMARY KEY, vault_id TEXT NOT NULL REFERENCES vault(id), key TEXT NOT NULL,
    username TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', uris TEXT NOT NULL DEFAULT '[]',
    source TEXT NOT NULL DEFAULT 'manual', source_endpoint TEXT NOT NULL DEFAULT '',
    kek_id TEXT, sealed_key TEXT, sealed_value TEXT, value_changed_at TEXT, imported_at TEXT, last_used_at TEXT,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    UNIQUE (vault_id, key),
    CHECK ((kek_id IS NULL) = (sealed_value IS NULL) AND (sealed_key IS NULL) = (sealed_value IS NULL))) STRICT`,
  'CREATE INDEX vault_entry_kek ON vault_entry(kek_id) WHERE kek_id IS NOT NULL',
  // Names of the values of vaults that the text takes, as JSON: `<vault>.<key>`.
  "ALTER TABLE network_boot_kickstart ADD COLUMN vault_values TEXT NOT NULL DEFAULT '[]'",
];
