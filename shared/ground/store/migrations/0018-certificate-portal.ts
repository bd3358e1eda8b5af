// The authority's portal: who signs its answers of OCSP, and which certificates name it.
import type { Knex } from 'knex';

export const name = '0018-certificate-portal';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // One for each authority; its key is sealed as that of the authority.
  `CREATE TABLE ocsp_signer (
    id TEXT PRIMARY KEY, authority_id TEXT NOT NULL UNIQUE
      REFERENCES certificate_authority(id) ON DELETE CASCADE,
    certificate_pem TEXT NOT NULL, sha256 TEXT NOT NULL, serial_number TEXT NOT NULL UNIQUE,
    kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL,
    not_before TEXT NOT NULL, not_after TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  // Host in the addresses that a certificate names; empty: it names none.
  "ALTER TABLE issued_certificate ADD COLUMN portal_host TEXT NOT NULL DEFAULT ''",
  "CREATE INDEX issued_certificate_portal ON issued_certificate(portal_host) WHERE portal_host <> ''",
  // The portal is enforced from now on; what an older release saved of it is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'certificate-authority',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'certificate-authority')`,
];
