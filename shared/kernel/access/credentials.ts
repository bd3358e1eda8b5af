// What lets a user in now, sessions and tokens, and ending all of them; at clients of the OpenID Connect provider too.
import { instant } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { endSteps } from './second-factor/sign-in-step.ts';
import { liveSessions } from './session.ts';
import { outdate } from './user.ts';

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

export interface CredentialCounts {
  sessions: number;
  tokens: number;
}

export const ACTIVE = 'revoked_at IS NULL AND expires_at > ?';

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

/**
 * Ends the sessions of a user, all but `except` (hashed id), what waits for a second factor, and all at clients of the OpenID
 * Connect provider. Answers how many sessions could still be used.
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
  await endSteps(transaction, user_id);
  const sessions_ended = rows.filter(({ live }) => live === 1).length;
  return { sessions_ended, oidc_sessions_ended: await elsewhere.endElsewhere(transaction, user_id, now) };
}

/**
 * As endSessions(), where nothing else of the user changes: a sign-in whose password was found right and whose session is not
 * saved yet finds another revision then (isUnchanged), and comes to nothing.
 */
export async function endSessionsAndSignIns(...of: Parameters<typeof endSessions>): Promise<EndedSessions> {
  const [transaction, , user_id] = of;
  await outdate(transaction, user_id);
  return endSessions(...of);
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
