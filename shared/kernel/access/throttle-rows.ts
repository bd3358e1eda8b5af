// The table that counts failures and keeps waits, for everything that slows a caller down. Its rows hold wall-clock
// times, and that clock may be set: a row whose times lie further ahead than its own limit is from another clock and is
// ignored.
import { instant, inTheLast, later } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Slowing, waitAfter } from './slowing.ts';

/** Seconds that a row is stored after its last failure. */
const KEPT = 15 * 60;
/** Most rows. Strangers write a few each second at most; the oldest go first. */
const ROWS_MOST = 10_000;

/** Whole seconds until none of these keys is blocked, at most `longest`; 0: now. */
export async function secondsBlocked(
  db: Database,
  keys: readonly string[],
  now: Date,
  longest: number,
): Promise<number> {
  const row = await db.one<{ until: string | null }>(
    `SELECT max(blocked_until) AS until FROM sign_in_throttle
     WHERE key IN (SELECT value FROM json_each(?)) AND blocked_until > ? AND blocked_until <= ?`,
    [JSON.stringify(keys), instant(now), instant(later(now, longest))],
  );
  return row?.until ? Math.max(1, Math.ceil((Date.parse(row.until) - now.getTime()) / 1000)) : 0;
}

/** Counts one more failure; answers the length of the series, in which no gap is longer than `forget` seconds. */
export async function countFailure(tx: Transaction, key: string, now: Date, forget: number): Promise<number> {
  const { after, until } = inTheLast(now, forget);
  const [row] = await tx.all<{ failures: number }>(
    `INSERT INTO sign_in_throttle (key, failures, last_failure_at) VALUES (?, 1, ?)
     ON CONFLICT (key) DO UPDATE SET last_failure_at = excluded.last_failure_at,
       failures = CASE WHEN last_failure_at > ? AND last_failure_at <= ? THEN failures + 1 ELSE 1 END
     RETURNING failures`,
    [key, instant(now), after, until],
  );
  return row!.failures;
}

/** Counts one more, and writes down the wait that follows from it. */
export async function slowDown(
  tx: Transaction,
  key: string,
  now: Date,
  slowing: Slowing & { forget: number },
): Promise<void> {
  const seconds = waitAfter(slowing, await countFailure(tx, key, now, slowing.forget));
  if (seconds === 0) return;
  await tx.run('UPDATE sign_in_throttle SET blocked_until = ? WHERE key = ?', [instant(later(now, seconds)), key]);
}

export async function forget(tx: Transaction, key: string): Promise<void> {
  await tx.run('DELETE FROM sign_in_throttle WHERE key = ?', [key]);
}

/** Removes rows that no longer count, and the oldest beyond the bound. */
export async function pruneThrottle(tx: Transaction, now: Date): Promise<void> {
  const { after, until } = inTheLast(now, KEPT);
  await tx.run('DELETE FROM sign_in_throttle WHERE last_failure_at <= ? OR last_failure_at > ?', [after, until]);
  await tx.run(
    `DELETE FROM sign_in_throttle WHERE key NOT IN
       (SELECT key FROM sign_in_throttle ORDER BY last_failure_at DESC LIMIT ?)`,
    [ROWS_MOST],
  );
}

/** Failures of the last quarter of an hour, of all source networks. One statement. */
export async function recentFailures(db: Database, now: Date): Promise<number> {
  const { after, until } = inTheLast(now, KEPT);
  const row = await db.one<{ failures: number }>(
    `SELECT coalesce(sum(failures), 0) AS failures FROM sign_in_throttle
     WHERE key >= 'address ' AND key < 'address!' AND last_failure_at > ? AND last_failure_at <= ?`,
    [after, until],
  );
  return row!.failures;
}
