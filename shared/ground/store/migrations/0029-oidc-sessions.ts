// Schema of the sessions at the OpenID Connect provider: whose they are, where they came from, and which clients they signed in to.
import type { Knex } from 'knex';

export const name = '0029-oidc-sessions';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // Of what was given out before, nobody knows whose it is: it goes, and everybody signs in anew.
  'DELETE FROM oidc_artifact',
  'ALTER TABLE oidc_artifact ADD COLUMN subject_hash TEXT',
  'ALTER TABLE oidc_artifact ADD COLUMN session_hash TEXT',
  'CREATE INDEX oidc_artifact_subject ON oidc_artifact(subject_hash) WHERE subject_hash IS NOT NULL',
  'CREATE INDEX oidc_artifact_session ON oidc_artifact(session_hash) WHERE session_hash IS NOT NULL',
  // A row that was ended stays until its time is over: what was under way meanwhile must not bring the session back.
  `CREATE TABLE oidc_session (
    id TEXT PRIMARY KEY, uid_hash TEXT NOT NULL UNIQUE, subject TEXT NOT NULL, user_name TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('appliance', 'directory')), organization TEXT NOT NULL,
    source_address TEXT NOT NULL, clients TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT NOT NULL,
    expires_at INTEGER NOT NULL, ended_at TEXT) STRICT`,
  'CREATE INDEX oidc_session_subject ON oidc_session(subject)',
  'CREATE INDEX oidc_session_expires ON oidc_session(expires_at)',
];
