// Schema 28: a client whose certificate is on hold is remembered as such, until the hold is taken back.
import type { Knex } from 'knex';

export const name = '0025-kms-holds';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const NEXT = (at: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, '+0.001 seconds')`;

/** A tombstone of this client that is as young as itself, or younger. `of`: which ones count; `client`: its table. */
const buried = (of: string, client = 'c'): string => `EXISTS (SELECT 1 FROM kms_tombstone AS t
  WHERE t.kind = 'client' AND t.subject = ${client}.sha256 AND t.created_at >= ${client}.created_at AND ${of})`;

/**
 * Buries clients by a row of issued_certificate: for good, after any hold of before; or until the hold is taken back, where
 * nothing else buries them.
 */
const bury = (why: 'revoked' | 'held', row: string, found = ''): string => `
  INSERT INTO kms_tombstone (id, kind, subject, provider_id, provider, name, why, created_by, created_at)
  SELECT 'kmstomb_' || lower(hex(randomblob(10))), 'client', c.sha256, p.id, p.name, c.name, '${why}',
    'certificate authority', max(${row}.revoked_at, c.created_at, coalesce((SELECT ${NEXT('max(t.created_at)')}
      FROM kms_tombstone AS t WHERE t.kind = 'client' AND t.subject = c.sha256 AND t.created_at >= c.created_at), ''))
  FROM kms_client AS c JOIN kms_provider AS p ON p.id = c.provider_id${found}
  WHERE c.sha256 = ${row}.sha256 AND NOT ${buried(why === 'held' ? '1' : "t.why <> 'held'")}`;

const HELD = "revocation_reason = 'certificateHold'";
const isHeld = (row: string): string => `${row}.revoked_at IS NOT NULL AND ${row}.${HELD}`;
const isRevoked = (row: string): string =>
  `${row}.revoked_at IS NOT NULL AND ${row}.revocation_reason <> 'certificateHold'`;

const forget = (row: string): string =>
  `DELETE FROM kms_tombstone WHERE kind = 'client' AND why = 'held' AND subject = ${row}.sha256`;

/** On each way by which the authority says so: a person, or a restore. */
const followed = (on: string, event: string): string[] => [
  `CREATE TRIGGER issued_certificate_${on}_kms AFTER ${event} ON issued_certificate
    WHEN ${isRevoked('NEW')} BEGIN ${bury('revoked', 'NEW')}; ${forget('NEW')}; END`,
  `CREATE TRIGGER issued_certificate_${on}_kms_hold AFTER ${event} ON issued_certificate
    WHEN ${isHeld('NEW')} BEGIN ${bury('held', 'NEW')}; END`,
];

/** Holds a certificate anew as long as a client is buried by a hold. `subject`: SHA-256. */
const holdAgain = (subject: string): string => `UPDATE issued_certificate SET ${HELD}, revoked_at = (
    SELECT max(t.created_at) FROM kms_tombstone AS t JOIN kms_client AS c ON c.sha256 = t.subject
    WHERE t.kind = 'client' AND t.why = 'held' AND t.subject = ${subject} AND t.created_at >= c.created_at)
  WHERE sha256 = ${subject} AND revoked_at IS NULL AND EXISTS (SELECT 1 FROM kms_client AS c
    WHERE c.sha256 = ${subject} AND ${buried("t.why = 'held'")})`;

const TRIGGERS = [
  'issued_certificate_update_kms',
  'issued_certificate_insert_kms',
  'kms_client_insert_revoked',
  'issued_certificate_delete_kms',
];
const COLUMNS = 'id, kind, subject, provider_id, provider, name, why, created_by, created_at';

const STATEMENTS = [
  ...TRIGGERS.map((trigger) => `DROP TRIGGER ${trigger}`),
  `CREATE TABLE kms_tombstone_next (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('client', 'key')), subject TEXT NOT NULL,
    provider_id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
    why TEXT NOT NULL CHECK (why IN ('removed', 'revoked', 'held', 'provider_deleted', 'erased')),
    created_by TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (kind, subject, created_at)) STRICT`,
  `INSERT INTO kms_tombstone_next (${COLUMNS}) SELECT ${COLUMNS} FROM kms_tombstone`,
  'DROP TABLE kms_tombstone',
  'ALTER TABLE kms_tombstone_next RENAME TO kms_tombstone',
  bury('held', 'i', ` JOIN issued_certificate AS i ON ${isHeld('i')}`),
  ...followed('update', 'UPDATE OF revoked_at, revocation_reason'),
  ...followed('insert', 'INSERT'),
  `CREATE TRIGGER kms_client_insert_revoked AFTER INSERT ON kms_client BEGIN
    ${bury('revoked', 'i', ` JOIN issued_certificate AS i ON ${isRevoked('i')}`)} AND c.id = NEW.id;
    ${bury('held', 'i', ` JOIN issued_certificate AS i ON ${isHeld('i')}`)} AND c.id = NEW.id; END`,
  // Whoever takes a hold back lets the client in again: it counts as added after what an older state remembers of the hold.
  `CREATE TRIGGER issued_certificate_release_kms AFTER UPDATE OF revoked_at ON issued_certificate
    WHEN ${isHeld('OLD')} AND NEW.revoked_at IS NULL BEGIN
    UPDATE kms_client SET created_at = (SELECT ${NEXT('max(t.created_at)')} FROM kms_tombstone AS t
        WHERE t.kind = 'client' AND t.subject = NEW.sha256)
      WHERE sha256 = NEW.sha256 AND ${buried("t.why = 'held'", 'kms_client')}
        AND NOT ${buried("t.why <> 'held'", 'kms_client')};
    ${forget('NEW')}; END`,
  // An authority that is put back to an older state, or comes from one, holds what is remembered as held.
  `CREATE TRIGGER issued_certificate_insert_kms_held AFTER INSERT ON issued_certificate
    WHEN NEW.revoked_at IS NULL BEGIN ${holdAgain('NEW.sha256')}; END`,
  `CREATE TRIGGER kms_tombstone_insert_held AFTER INSERT ON kms_tombstone
    WHEN NEW.kind = 'client' AND NEW.why = 'held' BEGIN ${holdAgain('NEW.subject')}; END`,
];
