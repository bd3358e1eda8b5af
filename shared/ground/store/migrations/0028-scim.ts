// Schema of provisioning: where the people of a client are pushed to, and what was sent there.
import type { Knex } from 'knex';

export const name = '0028-scim';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // Without a confirmed certificate nothing is sent: address and fingerprint come and go together.
  `CREATE TABLE scim_target (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL UNIQUE REFERENCES oidc_client(id) ON DELETE CASCADE,
    base_url TEXT NOT NULL, enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    groups TEXT NOT NULL DEFAULT '[]', domain TEXT NOT NULL DEFAULT '',
    departed TEXT NOT NULL CHECK (departed IN ('deactivate', 'remove')),
    address TEXT, sha256 TEXT,
    kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    last_job_id TEXT, last_outcome TEXT CHECK (last_outcome IN ('succeeded', 'partly', 'failed', 'cancelled')),
    last_at TEXT, last_reason TEXT NOT NULL DEFAULT '', pushed_sha256 TEXT NOT NULL DEFAULT '',
    failures INTEGER NOT NULL DEFAULT 0, next_at TEXT,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    CHECK ((address IS NULL) = (sha256 IS NULL))) STRICT`,
  'CREATE INDEX scim_target_kek ON scim_target(kek_id)',
  // A row is written before its object is sent, so that after a kill it is known whose object it is.
  `CREATE TABLE scim_object (
    target_id TEXT NOT NULL REFERENCES scim_target(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'group')), external_id TEXT NOT NULL, name TEXT NOT NULL,
    sent_sha256 TEXT NOT NULL DEFAULT '', outcome TEXT NOT NULL CHECK (outcome IN
      ('pending', 'created', 'updated', 'unchanged', 'deactivated', 'removed', 'refused')),
    reason TEXT NOT NULL DEFAULT '', at TEXT NOT NULL,
    PRIMARY KEY (target_id, kind, external_id)) STRICT, WITHOUT ROWID`,
];
