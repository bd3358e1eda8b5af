// Schema 30: second factors of users, their recovery codes, sign-ins that wait for one, and which roles must have one.
import type { Knex } from 'knex';

export const name = '0027-second-factors';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // The secret of an authenticator is sealed; a passkey has a public key alone. Until it is confirmed it counts for nothing.
  `CREATE TABLE second_factor (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('totp', 'passkey')), name TEXT NOT NULL,
    kek_id TEXT NOT NULL DEFAULT '', sealed_key TEXT NOT NULL DEFAULT '', sealed_value TEXT NOT NULL DEFAULT '',
    last_step INTEGER,
    credential_id TEXT UNIQUE, public_key TEXT, sign_count INTEGER, rp_id TEXT, transports TEXT NOT NULL DEFAULT '[]',
    created_at TEXT NOT NULL, confirmed_at TEXT, last_used_at TEXT) STRICT`,
  'CREATE INDEX second_factor_user ON second_factor(user_id)',
  "CREATE INDEX second_factor_kek ON second_factor(kek_id) WHERE kek_id <> ''",
  `CREATE TABLE recovery_code (
    user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, code_hash TEXT NOT NULL, used_at TEXT,
    PRIMARY KEY (user_id, code_hash)) STRICT`,
  // The password was right; a second factor is still to come. No session: nothing opens with it.
  `CREATE TABLE sign_in_step (
    id_hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
    network TEXT NOT NULL, return_to TEXT NOT NULL, challenge TEXT, rp_id TEXT, origin TEXT,
    created_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX sign_in_step_user ON sign_in_step(user_id)',
  // A step lasts no longer than what it was begun with.
  `CREATE TRIGGER user_update_sign_in_step AFTER UPDATE OF password_hash, role, enabled ON user
    WHEN new.password_hash <> old.password_hash OR new.role <> old.role OR new.enabled <> old.enabled
    BEGIN DELETE FROM sign_in_step WHERE user_id = new.id; END`,
  // The own password was right; the browser is to make the passkey.
  `CREATE TABLE passkey_registration (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, name TEXT NOT NULL,
    challenge TEXT NOT NULL, rp_id TEXT NOT NULL, origin TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX passkey_registration_user ON passkey_registration(user_id)',
  `CREATE TABLE second_factor_policy (
    id INTEGER PRIMARY KEY CHECK (id = 1), roles TEXT NOT NULL DEFAULT '[]',
    user_verification TEXT NOT NULL DEFAULT 'preferred' CHECK (user_verification IN ('preferred', 'required')),
    revision INTEGER NOT NULL DEFAULT 1, updated_at TEXT) STRICT`,
  'INSERT INTO second_factor_policy (id) VALUES (1)',
];
