// What lets a user in now, sessions and tokens, and ending all of them; at clients of the OpenID Connect provider too.
import { createHash } from 'node:crypto';
import { instant } from '../../ground/clock.ts';
import { notFound } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { SessionPlane } from './scopes.ts';
import { liveSessions } from './session.ts';

/** Where else users of the appliance are signed in: told by the runtime, since this room does not know the services. */
export interface Elsewhere {
  /** Ends all that the user has at clients of the OpenID Connect provider, in this transaction. Answers how many sessions. */
  endElsewhere(tx: Transaction, user_id: string, now: Date): Promise<number>;
}

export interface EndedSessions {
  sessions_ended: number;
  /** Browsers that were signed in at the OpenID Connect provider. */
  oidc_sessions_ended: number;
}

/** What a change of a user did to the user's sessions and tokens. */
export interface EndedCredentials extends EndedSessions {
  /** Ids of the tokens that work no more. */
  tokens_ended: string[];
  /** Tokens that go on. */
  tokens_kept: number;
}

/** An audit row names this many tokens; the number is always whole. */
const NAMED_MOST = 100;
/** A list has the newest of these. */
export const SESSIONS_MOST = 100;

export interface CredentialCounts {
  sessions: number;
  tokens: number;
}

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

const ACTIVE = 'revoked_at IS NULL AND expires_at > ?';

/** Sessions and tokens of a user that work now. */
export async function countCredentials(database: Database, user_id: string, now: Date): Promise<CredentialCounts> {
  const { condition, parameters } = liveSessions(now);
  const row = await database.one<CredentialCounts>(
    `SELECT (SELECT count(*) FROM session WHERE user_id = ? AND ${condition}) AS sessions,
       (SELECT count(*) FROM api_token WHERE user_id = ? AND ${ACTIVE}) AS tokens`,
    [user_id, ...parameters, user_id, instant(now)],
  );
  return row!;
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

/**
 * Ends the sessions of a user, all but `except` (hashed id), and all at clients of the OpenID Connect provider. Answers how
 * many could still be used.
 */
export async function endSessions(
  transaction: Transaction,
  elsewhere: Elsewhere,
  user_id: string,
  now: Date,
  except: string | null = null,
): Promise<EndedSessions> {
  const { condition, parameters } = liveSessions(now);
  const rows = await transaction.all<{ live: number }>(
    `DELETE FROM session WHERE user_id = ? AND id_hash IS NOT ? RETURNING (${condition}) AS live`,
    [user_id, except, ...parameters],
  );
  const sessions_ended = rows.filter(({ live }) => live === 1).length;
  return { sessions_ended, oidc_sessions_ended: await elsewhere.endElsewhere(transaction, user_id, now) };
}

/** Revokes the tokens of a user for good. Answers their ids. */
export async function endTokens(transaction: Transaction, user_id: string, now: Date): Promise<string[]> {
  const at = instant(now);
  const rows = await transaction.all<{ id: string }>(
    `UPDATE api_token SET revoked_at = ? WHERE user_id = ? AND ${ACTIVE} RETURNING id`,
    [at, user_id, at],
  );
  return rows.map(({ id }) => id);
}

export type EndedNumbers = ReturnType<typeof inNumbers>;

const counted = (n: number, one: string) => (n === 1 ? `1 ${one}` : `${n} ${one}s`);

/** What a user has now, in words: `2 sessions and 1 API token`. */
export function credentialWords({ sessions, tokens }: CredentialCounts): string {
  return `${counted(sessions, 'session')} and ${counted(tokens, 'API token')}`;
}

/** What ended, as a sentence or two. */
export function endedWords({ tokens_ended, tokens_kept, ...sessions }: EndedNumbers): string {
  const also = atClients(sessions);
  const ended = `Ended: ${credentialWords({ sessions: sessions.sessions_ended, tokens: tokens_ended })}.${also}`;
  if (tokens_kept === 0) return ended;
  return `${ended} ${counted(tokens_kept, 'API token')} ${tokens_kept === 1 ? 'was' : 'were'} kept.`;
}

/** Nothing where there was none. */
const atClients = ({ oidc_sessions_ended }: EndedSessions): string =>
  oidc_sessions_ended === 0 ? '' : ` At clients of OpenID Connect: ${counted(oidc_sessions_ended, 'session')}.`;

/** What ended of sessions alone: `Sessions ended: 2.` */
export const endedSessionsWords = (ended: EndedSessions): string =>
  `Sessions ended: ${ended.sessions_ended}.${atClients(ended)}`;

/** The same in numbers, as answers have it. */
export function inNumbers({ tokens_ended, ...rest }: EndedCredentials) {
  return { ...rest, tokens_ended: tokens_ended.length };
}

/** The same for an audit row: numbers, and the ids of the tokens. */
export function forAudit({ sessions_ended, oidc_sessions_ended, tokens_ended, tokens_kept }: EndedCredentials) {
  return {
    sessions_ended,
    oidc_sessions_ended,
    tokens_ended: tokens_ended.length,
    tokens_kept,
    ...(tokens_ended.length > 0 && { token_ids: tokens_ended.slice(0, NAMED_MOST) }),
  };
}
