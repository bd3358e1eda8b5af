// Schema 10: networks that signed in to an account before, and the age of a session by a clock that nobody sets.
import type { Knex } from 'knex';

export const name = '0010-known-networks';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  `CREATE TABLE known_network (
    user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE, network TEXT NOT NULL, signed_in_at TEXT NOT NULL,
    PRIMARY KEY (user_id, network)) STRICT`,
  // Whoever knew the old password is known no more, however the new one was set.
  `CREATE TRIGGER user_password_known_network AFTER UPDATE OF password_hash ON user
    WHEN new.password_hash <> old.password_hash
    BEGIN DELETE FROM known_network WHERE user_id = new.id; END`,
  // Which start of the machine, and milliseconds since then. Sessions of before have neither.
  "ALTER TABLE session ADD COLUMN uptime_boot TEXT NOT NULL DEFAULT ''",
  'ALTER TABLE session ADD COLUMN uptime_from INTEGER NOT NULL DEFAULT 0',
];
