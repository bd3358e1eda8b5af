// Schema of signing in at an external provider: what it is, who came from it, and the sign-ins that are under way.
import type { Knex } from 'knex';

export const name = '0033-external-sign-in';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // One for the appliance. Without a confirmed certificate nothing is sent: address and fingerprint come and go together.
  `CREATE TABLE sign_in_provider (
    id TEXT PRIMARY KEY CHECK (id = 'provider'), name TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    issuer TEXT NOT NULL, client_id TEXT NOT NULL, scopes TEXT NOT NULL, groups_claim TEXT NOT NULL,
    roles TEXT NOT NULL DEFAULT '[]', trusted_contexts TEXT NOT NULL DEFAULT '[]',
    address TEXT, sha256 TEXT,
    kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    CHECK ((address IS NULL) = (sha256 IS NULL))) STRICT`,
  'CREATE INDEX sign_in_provider_kek ON sign_in_provider(kek_id)',
  // Whose account came from the provider: that user has an empty password_hash, which no password fits.
  `CREATE TABLE external_person (
    user_id TEXT PRIMARY KEY REFERENCES user(id) ON DELETE CASCADE,
    issuer TEXT NOT NULL, subject TEXT NOT NULL, last_sign_in_at TEXT NOT NULL,
    UNIQUE (issuer, subject)) STRICT`,
  // The browser is at the provider. What it has to bring back is hashed; nonce and verifier follow from its cookie.
  `CREATE TABLE external_sign_in (
    state_hash TEXT PRIMARY KEY, browser_hash TEXT NOT NULL, network TEXT NOT NULL, provider_revision INTEGER NOT NULL,
    redirect_uri TEXT NOT NULL, return_to TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
];
