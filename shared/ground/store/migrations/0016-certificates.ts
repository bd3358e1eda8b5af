// The authority of the lab: which root signs, which one comes next, and its revocation list; certificates that were made out
// for others, and revoked; requests that wait for somebody; and what each profile may be issued for.
import type { Knex } from 'knex';

export const name = '0016-certificates';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const PROFILES = ['server', 'client', 'server-client', 'vmware', 'subordinate'];

const STATEMENTS = [
  // The newest root signed; those before it had lost their keys.
  `ALTER TABLE certificate_authority ADD COLUMN standing TEXT NOT NULL DEFAULT 'former'
    CHECK (standing IN ('signing', 'next', 'former'))`,
  `UPDATE certificate_authority SET standing = 'signing' WHERE rowid = (SELECT max(rowid) FROM certificate_authority)`,
  `CREATE UNIQUE INDEX certificate_authority_standing ON certificate_authority(standing) WHERE standing <> 'former'`,
  // Authorities below it; NULL: any number.
  'ALTER TABLE certificate_authority ADD COLUMN path_length INTEGER DEFAULT 0',
  // Of an imported subordinate: what signed it, up to its root.
  "ALTER TABLE certificate_authority ADD COLUMN chain_pem TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE certificate_authority ADD COLUMN origin TEXT NOT NULL DEFAULT 'made'",
  // The revocation list as DER in base64; empty while none was signed.
  'ALTER TABLE certificate_authority ADD COLUMN crl_number INTEGER NOT NULL DEFAULT 0',
  "ALTER TABLE certificate_authority ADD COLUMN crl_der TEXT NOT NULL DEFAULT ''",
  'ALTER TABLE certificate_authority ADD COLUMN crl_at TEXT',
  // `purpose` is empty where a request was signed: no service of the appliance has it, and its key is elsewhere.
  "ALTER TABLE issued_certificate ADD COLUMN profile TEXT NOT NULL DEFAULT 'server'",
  'ALTER TABLE issued_certificate ADD COLUMN revoked_at TEXT',
  'ALTER TABLE issued_certificate ADD COLUMN revocation_reason TEXT',
  'CREATE INDEX issued_certificate_revoked ON issued_certificate(authority_id) WHERE revoked_at IS NOT NULL',
  'CREATE INDEX issued_certificate_ends ON issued_certificate(not_after)',
  // `allowed_names` is JSON; an empty list allows every name. `validity_days` NULL: as the settings say.
  `CREATE TABLE certificate_profile (
    name TEXT PRIMARY KEY, allowed_names TEXT NOT NULL DEFAULT '[]', validity_days INTEGER,
    revision INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID`,
  ...PROFILES.map((profile) => `INSERT INTO certificate_profile (name) VALUES ('${profile}')`),
  `CREATE TABLE certificate_request (
    id TEXT PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused')), profile TEXT NOT NULL,
    csr_pem TEXT NOT NULL, subject TEXT NOT NULL, names TEXT NOT NULL, key_algorithm TEXT NOT NULL, note TEXT NOT NULL,
    certificate_id TEXT REFERENCES issued_certificate(id), reason TEXT, decided_by TEXT, decided_at TEXT,
    created_by TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  'CREATE INDEX certificate_request_list ON certificate_request(state, created_at, id)',
];
