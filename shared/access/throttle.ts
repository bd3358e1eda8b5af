// Sign-in throttling that slows an attacker and never locks an account out: failures count per pair of source address
// and user name, and per source address. Someone else's failures from elsewhere do not block you.
import { instant, later } from '../operation/clock.ts';
import { Problem } from '../operation/problems.ts';
import type { Database, Transaction } from '../store/database.ts';

/** Failures that are free, then the wait doubles from `first_wait` to `longest_wait` seconds. */
const LIMITS = {
  pair: { free: 5, first_wait: 2, longest_wait: 60 },
  address: { free: 30, first_wait: 2, longest_wait: 60 },
};
/** Failures older than this are forgotten, seconds. */
const FORGET_AFTER = 15 * 60;

function keysOf(address: string, name: string): [keyof typeof LIMITS, string][] {
  return [
    ['pair', `pair ${address} ${name.toLowerCase().slice(0, 64)}`],
    ['address', `address ${address}`],
  ];
}

/** @throws Problem 429 with the seconds to wait. */
export async function refuseIfThrottled(database: Database, address: string, name: string, now: Date): Promise<void> {
  const rows = await database.all<{ blocked_until: string | null }>(
    'SELECT blocked_until FROM sign_in_throttle WHERE key IN (?, ?) AND blocked_until > ?',
    [...keysOf(address, name).map(([, key]) => key), instant(now)],
  );
  const until = rows.map((row) => Date.parse(row.blocked_until!)).sort((a, b) => b - a)[0];
  if (until === undefined) return;
  const seconds = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
  throw new Problem('too_many_attempts', `Too many failed sign-ins from ${address}. Try again in ${seconds} s.`, {
    retry_after: seconds,
  });
}

export async function noteFailure(transaction: Transaction, address: string, name: string, now: Date): Promise<void> {
  const forget = instant(later(now, -FORGET_AFTER));
  for (const [kind, key] of keysOf(address, name)) {
    const [row] = await transaction.all<{ failures: number }>(
      `INSERT INTO sign_in_throttle (key, failures, last_failure_at) VALUES (?, 1, ?)
       ON CONFLICT (key) DO UPDATE SET last_failure_at = excluded.last_failure_at,
         failures = CASE WHEN last_failure_at < ? THEN 1 ELSE failures + 1 END
       RETURNING failures`,
      [key, instant(now), forget],
    );
    const over = row!.failures - LIMITS[kind].free;
    if (over < 0) continue;
    const wait = Math.min(LIMITS[kind].longest_wait, LIMITS[kind].first_wait * 2 ** over);
    await transaction.run('UPDATE sign_in_throttle SET blocked_until = ? WHERE key = ?', [
      instant(later(now, wait)),
      key,
    ]);
  }
}

export async function forgetFailures(transaction: Transaction, address: string, name: string): Promise<void> {
  await transaction.run('DELETE FROM sign_in_throttle WHERE key = ?', [keysOf(address, name)[0]![1]]);
}

/** Sign-ins of one source address that may be verified at the same time: guesses sent at once must not all count as first. */
const AT_ONCE = 3;
const verifying = new Map<string, number>();

/** Runs a verification in one of the address's slots. @throws Problem 429 when they are taken. */
export async function inSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  const taken = verifying.get(address) ?? 0;
  if (taken >= AT_ONCE) {
    throw new Problem('too_many_attempts', `Too many sign-ins from ${address} at once.`, { retry_after: 1 });
  }
  verifying.set(address, taken + 1);
  try {
    return await work();
  } finally {
    if (verifying.get(address) === 1) verifying.delete(address);
    else verifying.set(address, verifying.get(address)! - 1);
  }
}
