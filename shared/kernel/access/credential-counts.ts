// How many browsers are signed in, and how many tokens there are.
import { instant, later } from '../../ground/clock.ts';
import type { Database } from '../../ground/store/database.ts';
import { ACTIVE } from './credentials.ts';

/** Sessions, tokens that hold, and of these what ends within a week: one statement. */
export async function countCredentials(
  db: Database,
  now: Date,
): Promise<{ sessions: number; tokens: number; tokens_ending: number }> {
  const [at, soon] = [instant(now), instant(later(now, 7 * 86_400))];
  return (await db.one(
    `SELECT (SELECT count(*) FROM session) AS sessions,
       (SELECT count(*) FROM api_token WHERE ${ACTIVE}) AS tokens,
       (SELECT count(*) FROM api_token WHERE ${ACTIVE} AND expires_at <= ?) AS tokens_ending`,
    [at, at, soon],
  ))!;
}
