// Browser sessions: a 256-bit id in a cookie, its HMAC in the database. Idle 30 minutes, absolute 12 hours: by the wall
// clock, and, as long as the machine runs on, also by its uptime. A clock that is set, either way, may end a session
// and never prolongs its 12 hours; only with a restart of the machine besides is the wall clock all that there is.
import { type Clock, type Entropy, instant, inTheLast } from '../../ground/clock.ts';
import { systemUptime, type Uptime } from '../../ground/machine/uptime.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Database, SqlValue, Transaction } from '../../ground/store/database.ts';
import type { Actor } from './actor.ts';
import { LOCK_COLUMNS, type LockColumns, lockOf, type MutationLock } from './mutation-lock.ts';
import { type Role, type SessionPlane, scopesOfSession } from './scopes.ts';

export const SESSION_IDLE_SECONDS = 30 * 60;
export const SESSION_ABSOLUTE_SECONDS = 12 * 3600;

interface Shell {
  keys: Keys;
  clock: Clock;
  entropy: Entropy;
  uptime?: Uptime;
}

/** Starts a session and ends the browser's previous one, so that an id from before the sign-in is useless. */
export async function startSession(
  transaction: Transaction,
  shell: Shell,
  user_id: string,
  source_address: string,
  previous: string | null,
  plane: SessionPlane = 'management',
): Promise<{ id: string }> {
  if (previous) await endSession(transaction, shell.keys, previous);
  const id = shell.entropy.bytes(32).toString('base64url');
  const now = instant(shell.clock.now());
  const csrf_token = shell.entropy.bytes(24).toString('base64url');
  const { boot, milliseconds } = uptimeOf(shell);
  await transaction.run(
    `INSERT INTO session (id_hash, user_id, csrf_token, created_at, last_seen_at, source_address, uptime_boot, uptime_from,
       plane)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [hash(shell.keys, id), user_id, csrf_token, now, now, source_address, boot, milliseconds, plane],
  );
  return { id };
}

export async function endSession(transaction: Transaction, keys: Keys, id: string): Promise<void> {
  await transaction.run('DELETE FROM session WHERE id_hash = ?', [hash(keys, id)]);
}

/** Removes sessions that are idle, too old, or of another clock. */
export async function endOldSessions(transaction: Transaction, shell: Omit<Shell, 'keys' | 'entropy'>): Promise<void> {
  await transaction.run(`DELETE FROM session WHERE NOT (${alive('')})`, lifeOf(shell));
}

/** For counting and listing: the condition under which a row is a live session, with its parameters. */
export function liveSessions(now: Date): { condition: string; parameters: SqlValue[] } {
  return { condition: alive(''), parameters: lifeOf({ clock: { now: () => now } }) };
}

/** The condition under which a session is one, with the parameters of lifeOf(). */
function alive(of: string): string {
  const age = `(${of}uptime_boot <> ? OR ${of}uptime_from > ?)`;
  return `${of}last_seen_at > ? AND ${of}last_seen_at <= ? AND ${of}created_at > ? AND ${of}created_at <= ? AND ${age}`;
}

function lifeOf(shell: Omit<Shell, 'keys' | 'entropy'>): SqlValue[] {
  const now = shell.clock.now();
  const seen = inTheLast(now, SESSION_IDLE_SECONDS);
  const created = inTheLast(now, SESSION_ABSOLUTE_SECONDS);
  const { boot, milliseconds } = uptimeOf(shell);
  const bounds = [seen.after, seen.until, created.after, created.until];
  return [...bounds, boot, milliseconds - SESSION_ABSOLUTE_SECONDS * 1000];
}

function uptimeOf({ uptime = systemUptime }: Pick<Shell, 'uptime'>): { boot: string; milliseconds: number } {
  return { boot: uptime.boot, milliseconds: uptime.milliseconds() };
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
  WHERE s.id_hash = ? AND s.plane = ? AND u.enabled = 1 AND ${alive('s.')}`;

/**
 * The actor behind a session cookie in one statement, or null when the session is unknown, of another plane, idle or too old.
 */
export async function authenticateSession(
  database: Database,
  shell: Shell,
  id: string,
  plane: SessionPlane = 'management',
): Promise<{ actor: Actor; lock: MutationLock | null } | null> {
  const row = await database.one<SessionRow>(BY_HASH, [hash(shell.keys, id), plane, ...lifeOf(shell)]);
  if (!row) return null;
  const actor: Actor = {
    kind: 'session',
    user_id: row.user_id,
    name: row.name,
    role: row.role,
    scopes: scopesOfSession(row.role, plane),
    credential_id: row.id_hash,
    csrf_token: row.csrf_token,
  };
  return { actor, lock: lockOf(row) };
}

function hash(keys: Keys, id: string): string {
  return keys.hmac('session-pepper', id).toString('base64url');
}
