// Schema 24: the certificate that was uploaded for the management UI.
import type { Knex } from 'knex';

export const name = '0024-management-tls';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const PENDING = "UPDATE unit_state SET desired_version = desired_version + 1 WHERE unit = 'management-tls'";

const STATEMENTS = [
  "INSERT INTO unit_state (unit, desired_version) SELECT 'management-tls', 0",
  // One at most; its key is sealed.
  `CREATE TABLE management_certificate (
    id TEXT PRIMARY KEY, chain_pem TEXT NOT NULL, subject TEXT NOT NULL, names TEXT NOT NULL DEFAULT '[]',
    sha256 TEXT NOT NULL UNIQUE, key_algorithm TEXT NOT NULL,
    kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    not_before TEXT NOT NULL, not_after TEXT NOT NULL, created_by TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  `CREATE TRIGGER management_certificate_insert AFTER INSERT ON management_certificate BEGIN ${PENDING}; END`,
  `CREATE TRIGGER management_certificate_delete AFTER DELETE ON management_certificate BEGIN ${PENDING}; END`,
];
