// Schema 9: what a deployment needs. Certificates of our own authority, whose keys are only ever stored sealed; who may
// read the offline depot, its identity and what is being uploaded to it; how far a step of a job is, and what a job wrote
// down for whoever takes it over.
import type { Knex } from 'knex';

export const name = '0009-vcf-deployment';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

/** A private key at rest, as the values of vaults are. */
const SEALED = 'kek_id TEXT NOT NULL, sealed_key TEXT NOT NULL, sealed_value TEXT NOT NULL';
const CERTIFICATE = `subject TEXT NOT NULL, certificate_pem TEXT NOT NULL, sha256 TEXT NOT NULL,
    serial_number TEXT NOT NULL UNIQUE, key_algorithm TEXT NOT NULL, ${SEALED}, not_before TEXT NOT NULL,
    not_after TEXT NOT NULL, created_by TEXT NOT NULL, created_at TEXT NOT NULL`;

const STATEMENTS = [
  `CREATE TABLE certificate_authority (id TEXT PRIMARY KEY, ${CERTIFICATE}) STRICT`,
  // `names` is JSON: DNS names and addresses, as the certificate has them. One that a newer one took the place of has
  // `replaced_at`.
  `CREATE TABLE issued_certificate (
    id TEXT PRIMARY KEY, authority_id TEXT NOT NULL REFERENCES certificate_authority(id), purpose TEXT NOT NULL,
    names TEXT NOT NULL, replaced_at TEXT, ${CERTIFICATE}) STRICT`,
  'CREATE INDEX issued_certificate_purpose ON issued_certificate(purpose) WHERE replaced_at IS NULL',
  `CREATE TABLE depot_user (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1,
    created_by TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`,
  `CREATE TABLE depot_identity (
    id INTEGER PRIMARY KEY CHECK (id = 1), software_depot_id TEXT NOT NULL, generated_by TEXT NOT NULL,
    generated_at TEXT NOT NULL) STRICT`,
  `CREATE TABLE depot_upload (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, size_bytes INTEGER NOT NULL, sha256 TEXT, overwrite INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'receiving', job_id TEXT, created_by TEXT NOT NULL, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL) STRICT`,
  // JSON: `{done_bytes, total_bytes, bytes_per_second, seconds_left}`; NULL for a step that does not count.
  'ALTER TABLE task ADD COLUMN progress TEXT',
  // The depot is enforced from now on; what an older release saved of it is still to be applied.
  `INSERT INTO unit_state (unit, desired_version) SELECT 'private-cloud-services',
    EXISTS (SELECT 1 FROM unit_settings WHERE unit = 'private-cloud-services')`,
  // JSON: what a job wrote down to go on from. Never shown, and nothing secret.
  "ALTER TABLE job ADD COLUMN kept TEXT NOT NULL DEFAULT '{}'",
];
