// Schema 22: keys of the KMIP server, whose they are, and which client certificates open a connection.
import type { Knex } from 'knex';

export const name = '0022-kms';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // The server is enforced from now on; what an older release saved of it is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'kms',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'kms')`,
  `CREATE TABLE kms_provider (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '',
    activates_on_create INTEGER NOT NULL DEFAULT 1 CHECK (activates_on_create IN (0, 1)),
    created_by TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  // A client is known by its exact certificate: one that is trusted twice would have two providers.
  `CREATE TABLE kms_client (
    id TEXT PRIMARY KEY, provider_id TEXT NOT NULL REFERENCES kms_provider(id), name TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('uploaded', 'signed', 'made')),
    certificate_pem TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
    not_before TEXT NOT NULL, not_after TEXT NOT NULL, created_by TEXT NOT NULL, created_at TEXT NOT NULL,
    last_seen_at TEXT, last_seen_from TEXT) STRICT`,
  'CREATE INDEX kms_client_provider ON kms_client(provider_id)',
  // Its material is sealed. A destroyed key keeps it for a while; then the row alone says that there was one.
  `CREATE TABLE kms_key (
    id TEXT PRIMARY KEY, provider_id TEXT NOT NULL REFERENCES kms_provider(id),
    origin TEXT NOT NULL CHECK (origin IN ('created', 'registered')),
    state TEXT NOT NULL CHECK (state IN ('pre-active', 'active', 'deactivated', 'compromised')),
    length_bits INTEGER NOT NULL CHECK (length_bits IN (128, 192, 256)), usage_mask INTEGER NOT NULL,
    attributes TEXT NOT NULL DEFAULT '[]', activated_at TEXT, deactivated_at TEXT, compromised_at TEXT,
    destroyed_at TEXT, kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    created_by TEXT NOT NULL, created_at TEXT NOT NULL, changed_at TEXT NOT NULL,
    last_get_at TEXT, last_get_from TEXT) STRICT`,
  'CREATE INDEX kms_key_provider ON kms_key(provider_id, created_at)',
  "CREATE INDEX kms_key_kek ON kms_key(kek_id) WHERE kek_id <> ''",
  'CREATE INDEX kms_key_created ON kms_key(created_at)',
  // Asked for each request of a client.
  'CREATE INDEX issued_certificate_revoked_sha256 ON issued_certificate(sha256) WHERE revoked_at IS NOT NULL',
  // The last requests, without any value of theirs.
  `CREATE TABLE kms_request (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, provider TEXT NOT NULL, client TEXT NOT NULL,
    source_address TEXT NOT NULL, version TEXT NOT NULL, operation TEXT NOT NULL, key_id TEXT,
    attributes TEXT NOT NULL, result TEXT NOT NULL, took_ms INTEGER NOT NULL) STRICT`,
];
