// How often a user may enter a code in the field that takes the code of any console. A wrong one there says of no host that
// it was meant, so none of them pays for it; the user waits instead.
//
// The odds: a code has 36.7 bits (24^8). In the ten minutes of an attempt a user has 5 tries that are free, and after waits
// of 15, 30 and 60 seconds and then of a minute each at most 11 more: 16 wrong codes hit an attempt with a chance of 16 in
// 24^8, one in 6,900 million, or 36.7 - 4 = 32.7 bits. The operation of one host, whose wrong codes count against its
// attempt, keeps to 5 in 24^8.
import { instant, later } from '../operation/clock.ts';
import { Problem } from '../operation/problems.ts';
import type { Transaction } from '../store/database.ts';
import { LIFETIME } from './attempt.ts';

const FREE = 5;
/** Seconds; doubled with each further code that fits nothing. */
const FIRST_WAIT = 15;
const LONGEST_WAIT = 60;

/** Seconds to wait after so many codes in a row that fit nothing. */
export const waitAfter = (misfits: number): number =>
  misfits < FREE ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (misfits - FREE));

/** Rows of the sign-in's throttle, whose keys begin otherwise. */
const keyOf = (user_id: string): string => `boot-code ${user_id}`;

/** Before a code is compared, a right one too. @throws Problem 429 with the seconds to wait */
export async function refuseHasty(tx: Transaction, user_id: string, now: Date): Promise<void> {
  const row = await tx.one<{ blocked_until: string }>(
    'SELECT blocked_until FROM sign_in_throttle WHERE key = ? AND blocked_until > ?',
    [keyOf(user_id), instant(now)],
  );
  if (!row) return;
  // A clock that was set back does not lengthen the wait.
  const left = Math.ceil((Date.parse(row.blocked_until) - now.getTime()) / 1000);
  const seconds = Math.min(LONGEST_WAIT, Math.max(1, left));
  const detail = `Too many codes that fit no console. Try again in ${seconds} s.`;
  throw new Problem('too_many_attempts', detail, {
    retry_after: seconds,
    errors: [{ pointer: '/boot_code', detail }],
  });
}

/** Counts a code that fits no attempt; forgotten once none came for as long as an attempt lives. */
export async function noteMisfit(tx: Transaction, user_id: string, now: Date): Promise<void> {
  const [row] = await tx.all<{ failures: number }>(
    `INSERT INTO sign_in_throttle (key, failures, last_failure_at) VALUES (?, 1, ?)
     ON CONFLICT (key) DO UPDATE SET last_failure_at = excluded.last_failure_at,
       failures = CASE WHEN last_failure_at < ? THEN 1 ELSE failures + 1 END
     RETURNING failures`,
    [keyOf(user_id), instant(now), instant(later(now, -LIFETIME))],
  );
  const wait = waitAfter(row!.failures);
  if (wait === 0) return;
  await tx.run('UPDATE sign_in_throttle SET blocked_until = ? WHERE key = ?', [
    instant(later(now, wait)),
    keyOf(user_id),
  ]);
}
