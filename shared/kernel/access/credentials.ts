// What lets a user in now, sessions and tokens, and ending all of them.
import { instant } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { liveSessions } from './session.ts';

/** What a change of a user did to the user's sessions and tokens. */
export interface EndedCredentials {
  sessions_ended: number;
  /** Ids of the tokens that work no more. */
  tokens_ended: string[];
  /** Tokens that go on. */
  tokens_kept: number;
}

/** An audit row names this many tokens; the number is always whole. */
const NAMED_MOST = 100;

export interface CredentialCounts {
  sessions: number;
  tokens: number;
}

export interface Session {
  /** The session's id, hashed. */
  id_hash: string;
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
  return database.all<Session>(
    `SELECT id_hash, created_at, last_seen_at, source_address FROM session WHERE user_id = ? AND ${condition}
     ORDER BY created_at DESC, id_hash LIMIT 100`,
    [user_id, ...parameters],
  );
}

/** Ends the sessions of a user, all but `except` (hashed id). Answers how many could still be used. */
export async function endSessions(
  transaction: Transaction,
  user_id: string,
  now: Date,
  except: string | null = null,
): Promise<number> {
  const { condition, parameters } = liveSessions(now);
  const rows = await transaction.all<{ live: number }>(
    `DELETE FROM session WHERE user_id = ? AND id_hash IS NOT ? RETURNING (${condition}) AS live`,
    [user_id, except, ...parameters],
  );
  return rows.filter(({ live }) => live === 1).length;
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
export function endedWords({ sessions_ended, tokens_ended, tokens_kept }: EndedNumbers): string {
  const ended = `Ended: ${credentialWords({ sessions: sessions_ended, tokens: tokens_ended })}.`;
  if (tokens_kept === 0) return ended;
  return `${ended} ${counted(tokens_kept, 'API token')} ${tokens_kept === 1 ? 'was' : 'were'} kept.`;
}

/** The same in numbers, as answers have it. */
export function inNumbers({ tokens_ended, ...rest }: EndedCredentials) {
  return { ...rest, tokens_ended: tokens_ended.length };
}

/** The same for an audit row: numbers, and the ids of the tokens. */
export function forAudit({ sessions_ended, tokens_ended, tokens_kept }: EndedCredentials) {
  return {
    sessions_ended,
    tokens_ended: tokens_ended.length,
    tokens_kept,
    ...(tokens_ended.length > 0 && { token_ids: tokens_ended.slice(0, NAMED_MOST) }),
  };
}
