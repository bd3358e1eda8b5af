// How often a user may enter a code in the field that takes the code of any console. A wrong one there says of no host
// that it was meant, so none of them pays for it; the user waits instead.
//
// The odds: a code has 36.7 bits (24^8). In the ten minutes of an attempt a user has 5 tries that are free, and after
// waits of 15, 30 and 60 seconds and then of a minute each at most 11 more: 16 wrong codes hit an attempt with a chance
// of 16 in 24^8, one in 6,900 million, or 36.7 - 4 = 32.7 bits. The operation of one host, whose wrong codes count
// against its attempt, keeps to 5 in 24^8.

import { Problem } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { waitAfter } from '../../../kernel/access/slowing.ts';
import { secondsBlocked, slowDown } from '../../../kernel/access/throttle-rows.ts';
import { LIFETIME } from './attempt.ts';

/** Waits after codes in a row that match no attempt. */
const SLOWING = { free: 5, first_wait: 15, longest_wait: 60, forget: LIFETIME };

/** Seconds to wait after so many of them. */
export const waitAfterMisfits = (misfits: number): number => waitAfter(SLOWING, misfits);

/** Key in the table of the sign-in throttle, whose own keys begin differently. */
const keyOf = (user_id: string): string => `boot-code ${user_id}`;

/** Called before any code is compared, even a right one. @throws Problem 429 with the seconds to wait */
export async function refuseHasty(tx: Transaction, user_id: string, now: Date): Promise<void> {
  const seconds = await secondsBlocked(tx, [keyOf(user_id)], now, SLOWING.longest_wait);
  if (seconds === 0) return;
  const detail = `Too many codes that match no console. Try again in ${seconds} s.`;
  throw new Problem('too_many_attempts', detail, {
    retry_after: seconds,
    errors: [{ pointer: '/boot_code', detail }],
  });
}

/**
 * Counts a code that matches no attempt. The count is forgotten after the lifetime of an attempt without such a code.
 */
export const noteMisfit = (tx: Transaction, user_id: string, now: Date): Promise<void> =>
  slowDown(tx, keyOf(user_id), now, SLOWING);
