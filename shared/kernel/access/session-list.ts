// The sessions of a user as lists have them, and ending one of them.
import { createHash } from 'node:crypto';
import { notFound } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { SessionPlane } from './scopes.ts';
import { liveSessions } from './session.ts';

/** A list has the newest of these. */
export const SESSIONS_MOST = 100;

export interface Session {
  /** Made from the hashed id; no cookie can be made from it. */
  id: string;
  /** The session's id, hashed. */
  id_hash: string;
  /** Where it is one: the management pages, or the public ones. */
  plane: SessionPlane;
  created_at: string;
  last_seen_at: string;
  source_address: string;
}

/** Sessions of a user that go on, newest first. */
export async function listSessions(database: Database, user_id: string, now: Date): Promise<Session[]> {
  const { condition, parameters } = liveSessions(now);
  const rows = await database.all<Omit<Session, 'id'>>(
    `SELECT id_hash, plane, created_at, last_seen_at, source_address FROM session WHERE user_id = ? AND ${condition}
     ORDER BY created_at DESC, id_hash LIMIT ${SESSIONS_MOST}`,
    [user_id, ...parameters],
  );
  return rows.map((row) => ({ id: sessionIdOf(row.id_hash), ...row }));
}

/** Ends one session of a user, by the id that lists have. @throws Problem 404 */
export async function endOneSession(transaction: Transaction, user_id: string, id: string): Promise<void> {
  const rows = await transaction.all<{ id_hash: string }>('SELECT id_hash FROM session WHERE user_id = ?', [user_id]);
  const found = rows.find(({ id_hash }) => sessionIdOf(id_hash) === id);
  if (!found) throw notFound('This session');
  await transaction.run('DELETE FROM session WHERE id_hash = ?', [found.id_hash]);
}

const sessionIdOf = (id_hash: string): string =>
  `session_${createHash('sha256').update(id_hash).digest('hex').slice(0, 26)}`;
