// Browser sessions: a 256-bit id in a cookie, its HMAC in the database. Idle 30 minutes, absolute 12 hours.
import { type Clock, type Entropy, instant, later } from '../operation/clock.ts';
import { LOCK_COLUMNS, type LockColumns, lockOf, type MutationLock } from '../operation/mutation-lock.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { Actor } from './actor.ts';
import type { Keys } from './keys.ts';
import { type Role, scopesOfRole } from './scopes.ts';

export const SESSION_IDLE_SECONDS = 30 * 60;
export const SESSION_ABSOLUTE_SECONDS = 12 * 3600;

interface Shell {
  keys: Keys;
  clock: Clock;
  entropy: Entropy;
}

/** Starts a session and ends the one the browser came with, so that an id from before the sign-in is worth nothing. */
export async function startSession(
  transaction: Transaction,
  shell: Shell,
  user_id: string,
  source_address: string,
  previous: string | null,
): Promise<{ id: string }> {
  if (previous) await endSession(transaction, shell.keys, previous);
  const id = shell.entropy.bytes(32).toString('base64url');
  const now = instant(shell.clock.now());
  await transaction.run(
    `INSERT INTO session (id_hash, user_id, csrf_token, created_at, last_seen_at, source_address)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [hash(shell.keys, id), user_id, shell.entropy.bytes(24).toString('base64url'), now, now, source_address],
  );
  return { id };
}

export async function endSession(transaction: Transaction, keys: Keys, id: string): Promise<void> {
  await transaction.run('DELETE FROM session WHERE id_hash = ?', [hash(keys, id)]);
}

interface SessionRow extends LockColumns {
  id_hash: string;
  user_id: string;
  csrf_token: string;
  last_seen_at: string;
  name: string;
  role: Role;
}

const BY_HASH = `SELECT s.id_hash, s.user_id, s.csrf_token, s.last_seen_at, u.name, u.role, ${LOCK_COLUMNS}
  FROM session s JOIN user u ON u.id = s.user_id
  WHERE s.id_hash = ? AND u.enabled = 1 AND s.last_seen_at > ? AND s.created_at > ?`;

/** The actor behind a session cookie in one statement, or null when the session is unknown, idle or too old. */
export async function authenticateSession(
  database: Database,
  shell: Shell,
  id: string,
): Promise<{ actor: Actor; lock: MutationLock | null } | null> {
  const now = shell.clock.now();
  const row = await database.one<SessionRow>(BY_HASH, [
    hash(shell.keys, id),
    instant(later(now, -SESSION_IDLE_SECONDS)),
    instant(later(now, -SESSION_ABSOLUTE_SECONDS)),
  ]);
  if (!row) return null;
  const actor: Actor = {
    kind: 'session',
    user_id: row.user_id,
    name: row.name,
    role: row.role,
    scopes: scopesOfRole(row.role),
    credential_id: row.id_hash,
    csrf_token: row.csrf_token,
  };
  return { actor, lock: lockOf(row) };
}

function hash(keys: Keys, id: string): string {
  return keys.hmac('session-pepper', id).toString('base64url');
}
