// Schema of the OpenID Connect provider: its clients, its signing keys, and what it gave out and still has to know.
import type { Knex } from 'knex';

export const name = '0026-oidc';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // The provider is enforced from now on; what an older release saved of it is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'oidc',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'oidc')`,
  // Secrets are random and long: a plain digest of one tells nothing of it.
  `CREATE TABLE oidc_client (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '', preset TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    redirect_uris TEXT NOT NULL, logout_uris TEXT NOT NULL DEFAULT '[]',
    requires_pkce INTEGER NOT NULL CHECK (requires_pkce IN (0, 1)),
    refresh_tokens INTEGER NOT NULL CHECK (refresh_tokens IN (0, 1)),
    source TEXT NOT NULL CHECK (source IN ('appliance', 'directory')), organization TEXT NOT NULL DEFAULT '',
    sends_groups TEXT NOT NULL DEFAULT '[]',
    secret_sha256 TEXT NOT NULL, secret_made_at TEXT NOT NULL,
    former_sha256 TEXT NOT NULL DEFAULT '', former_until TEXT,
    created_by TEXT NOT NULL DEFAULT '', last_token_at TEXT, last_token_for TEXT,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  `CREATE TABLE oidc_signing_key (
    id TEXT PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('next', 'current', 'previous')),
    public_jwk TEXT NOT NULL, kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    signs_from TEXT, published_until TEXT, created_at TEXT NOT NULL) STRICT`,
  // One signs, and one is published before it does.
  "CREATE UNIQUE INDEX oidc_signing_key_state ON oidc_signing_key(state) WHERE state <> 'previous'",
  // Sessions, grants, codes and tokens. Ids are hashed and payloads sealed: who reads the file can use none of them.
  `CREATE TABLE oidc_artifact (
    id_hash TEXT PRIMARY KEY, model TEXT NOT NULL, grant_hash TEXT, uid_hash TEXT, payload TEXT NOT NULL,
    expires_at INTEGER NOT NULL, consumed_at INTEGER) STRICT, WITHOUT ROWID`,
  'CREATE INDEX oidc_artifact_grant ON oidc_artifact(grant_hash) WHERE grant_hash IS NOT NULL',
  'CREATE INDEX oidc_artifact_uid ON oidc_artifact(uid_hash) WHERE uid_hash IS NOT NULL',
  'CREATE INDEX oidc_artifact_expires ON oidc_artifact(expires_at)',
];
