// Schema 23: what key management remembers of what is gone, and who was given which key.
import type { Knex } from 'knex';

export const name = '0023-kms-tombstones';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

/** Buries clients whose certificate our authority revoked. `revoked` names the row that says so, `found` where it is found. */
const buryRevoked = (revoked: string, found = ''): string => `
  INSERT INTO kms_tombstone (id, kind, subject, provider_id, provider, name, why, created_by, created_at)
  SELECT 'kmstomb_' || lower(hex(randomblob(10))), 'client', c.sha256, p.id, p.name, c.name, 'revoked',
    'certificate authority', max(${revoked}.revoked_at, c.created_at)
  FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id${found}
  WHERE c.sha256 = ${revoked}.sha256 AND NOT EXISTS (SELECT 1 FROM kms_tombstone AS t
    WHERE t.kind = 'client' AND t.subject = c.sha256 AND t.created_at >= c.created_at)`;

const REVOKED = "NEW.revoked_at IS NOT NULL AND NEW.revocation_reason <> 'certificateHold'";

const FOR_GOOD = `
  JOIN issued_certificate AS i ON i.revoked_at IS NOT NULL AND i.revocation_reason <> 'certificateHold'`;

const STATEMENTS = [
  // A client is let in unless it is buried: by a tombstone that is as young as itself, or younger. A key whose id is buried was
  // erased. There are several of one subject: each addition after a removal may be removed again.
  `CREATE TABLE kms_tombstone (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('client', 'key')), subject TEXT NOT NULL,
    provider_id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
    why TEXT NOT NULL CHECK (why IN ('removed', 'revoked', 'provider_deleted', 'erased')),
    created_by TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (kind, subject, created_at)) STRICT`,
  buryRevoked('i', FOR_GOOD),
  // Whoever revokes: a person, or a restore, which may add the client as well.
  `CREATE TRIGGER issued_certificate_update_kms AFTER UPDATE OF revoked_at, revocation_reason ON issued_certificate
    WHEN ${REVOKED} BEGIN ${buryRevoked('NEW')}; END`,
  `CREATE TRIGGER issued_certificate_insert_kms AFTER INSERT ON issued_certificate
    WHEN ${REVOKED} BEGIN ${buryRevoked('NEW')}; END`,
  `CREATE TRIGGER kms_client_insert_revoked AFTER INSERT ON kms_client BEGIN
    ${buryRevoked('i', FOR_GOOD)} AND c.id = NEW.id; END`,
  // When the authority forgets what it issued, nothing else says that it was revoked, or on hold.
  `CREATE TRIGGER issued_certificate_delete_kms AFTER DELETE ON issued_certificate
    WHEN OLD.revoked_at IS NOT NULL BEGIN ${buryRevoked('OLD')}; END`,
  // To whom the material of a key was given, one row for each key and client certificate.
  `CREATE TABLE kms_receiver (
    key_id TEXT NOT NULL, sha256 TEXT NOT NULL, client TEXT NOT NULL, first_at TEXT NOT NULL, first_from TEXT NOT NULL,
    last_at TEXT NOT NULL, last_from TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (key_id, sha256)) STRICT`,
  'CREATE INDEX kms_key_destroyed ON kms_key(destroyed_at) WHERE destroyed_at IS NOT NULL',
];
