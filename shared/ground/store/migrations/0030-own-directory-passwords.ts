// Schema of own passwords: directory users change their own passwords. That is no desired state: only another mark is, which every password
// has that an administrator sets. What is not settled may be another one in slapd than here.
import type { Knex } from 'knex';

export const name = '0030-own-directory-passwords';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // Rows that come from an archive are looked at once.
  'ALTER TABLE ldap_password ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1))',
  'UPDATE ldap_password SET settled = 1',
  'CREATE INDEX ldap_password_unsettled ON ldap_password(id) WHERE settled = 0',
  'DROP TRIGGER ldap_password_update_ldap',
  `CREATE TRIGGER ldap_password_update_ldap AFTER UPDATE ON ldap_password WHEN OLD.mark IS NOT NEW.mark
    BEGIN UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'ldap'; END`,
  `CREATE TRIGGER ldap_password_unsettles AFTER UPDATE OF hash ON ldap_password
    WHEN OLD.hash IS NOT NEW.hash AND OLD.mark IS NEW.mark
    BEGIN UPDATE ldap_password SET settled = 0 WHERE id = NEW.id; END`,
];
