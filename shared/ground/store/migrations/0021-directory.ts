// Schema 21: what the directory holds: organisations, users, groups, bind accounts and hashes of passwords.
import type { Knex } from 'knex';

export const name = '0021-directory';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const KEPT = `description TEXT NOT NULL DEFAULT '', enabled INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 1, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL`;

const GROW = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'ldap'";

/** Descriptions, revisions and times are not in the directory. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  ldap_organization: ['slug', 'suffix', 'enabled'],
  ldap_user: ['uid', 'kind', 'given_name', 'surname', 'display_name', 'mail', 'telephone', 'entry_uuid', 'enabled'],
  ldap_group: ['name', 'member_users', 'member_groups', 'entry_uuid', 'enabled'],
  ldap_bind_account: ['name', 'entry_uuid', 'enabled'],
  ldap_password: ['hash', 'mark'],
};

const COUNTERS = Object.entries(COUNTED).flatMap(([table, columns]) => [
  ...['INSERT', 'DELETE'].map(
    (event) => `CREATE TRIGGER ${table}_${event.toLowerCase()}_ldap AFTER ${event} ON ${table} BEGIN ${GROW}; END`,
  ),
  `CREATE TRIGGER ${table}_update_ldap AFTER UPDATE ON ${table}
    WHEN ${columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')} BEGIN ${GROW}; END`,
]);

const STATEMENTS = [
  `CREATE TABLE ldap_organization (
    id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, suffix TEXT NOT NULL UNIQUE, ${KEPT}) STRICT`,
  `CREATE TABLE ldap_user (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES ldap_organization(id), uid TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'service')), given_name TEXT NOT NULL, surname TEXT NOT NULL,
    display_name TEXT NOT NULL, mail TEXT NOT NULL, telephone TEXT NOT NULL, entry_uuid TEXT NOT NULL UNIQUE, ${KEPT},
    UNIQUE (uid, organization_id)) STRICT`,
  `CREATE TABLE ldap_group (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES ldap_organization(id), name TEXT NOT NULL,
    member_users TEXT NOT NULL, member_groups TEXT NOT NULL, entry_uuid TEXT NOT NULL UNIQUE, ${KEPT},
    UNIQUE (name, organization_id)) STRICT`,
  `CREATE TABLE ldap_bind_account (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES ldap_organization(id), name TEXT NOT NULL,
    entry_uuid TEXT NOT NULL UNIQUE, ${KEPT},
    UNIQUE (name, organization_id)) STRICT`,
  // Of a user or of a bind account: a hash of argon2id and nothing else. The mark tells one password from another.
  `CREATE TABLE ldap_password (
    id TEXT PRIMARY KEY, user_id TEXT UNIQUE REFERENCES ldap_user(id) ON DELETE CASCADE,
    account_id TEXT UNIQUE REFERENCES ldap_bind_account(id) ON DELETE CASCADE,
    hash TEXT NOT NULL, former TEXT NOT NULL DEFAULT '[]', mark TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    CHECK ((user_id IS NULL) <> (account_id IS NULL))) STRICT`,
  'CREATE INDEX ldap_user_organization ON ldap_user(organization_id)',
  'CREATE INDEX ldap_group_organization ON ldap_group(organization_id)',
  'CREATE INDEX ldap_bind_account_organization ON ldap_bind_account(organization_id)',
  // The directory is enforced from now on; what an older release saved of it is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'ldap',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'ldap')`,
  ...COUNTERS,
];
