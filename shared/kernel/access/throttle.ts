// Sign-in throttling that slows an attacker and never locks an account out. Failures count per pair of source network
// and user name, per source network, and, of strangers, per account. Somebody else's failures from elsewhere never
// refuse you: the first two count your own network (an IPv4 address, an IPv6 /64), and the third only makes strangers
// take turns (sign-in-line.ts). Users who share a network with an attacker wait with it.
//
// When a session asks for the password again, failures are counted per session as well: a thief of the session who
// guesses from many networks is slowed. So is its owner in that session, who can sign in anew.
//
// Guesses at a second factor count per user besides, wherever they come from: six digits don't bear a million of them. Only
// who knows the password can make any; the owner then waits a minute at most.

import { sourceNetwork } from '../../ground/addresses/source.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { countFailure, forget, secondsBlocked, slowDown } from './throttle-rows.ts';

const LONGEST_WAIT = 60;
/** Failures older than this are forgotten, seconds. */
const FORGET_AFTER = 15 * 60;
const SLOWING = { first_wait: 2, longest_wait: LONGEST_WAIT, forget: FORGET_AFTER };
const LIMITS = {
  pair: { ...SLOWING, free: 5 },
  address: { ...SLOWING, free: 30 },
  session: { ...SLOWING, free: 10 },
  factor: { ...SLOWING, free: 10 },
};

export interface Guesser {
  source_address: string;
  /** Digest of the name of an account, whether it exists or not. */
  account: string;
  /** Hashed id of the session that asks for the password. */
  session?: string | null;
  /** Id of the user whose second factor is guessed. */
  factor?: string;
}

function keysOf({ source_address, account, session, factor }: Guesser): [keyof typeof LIMITS, string][] {
  const network = sourceNetwork(source_address);
  return [
    ['pair', `pair ${network} ${account}`],
    ['address', `address ${network}`],
    ...(session ? [['session', `session ${session}`] as [keyof typeof LIMITS, string]] : []),
    ...(factor ? [['factor', `second factor ${factor}`] as [keyof typeof LIMITS, string]] : []),
  ];
}

/** @throws Problem 429 with the seconds to wait. */
export async function refuseIfThrottled(database: Database, guesser: Guesser, now: Date): Promise<void> {
  const keys = keysOf(guesser).map(([, key]) => key);
  const seconds = await secondsBlocked(database, keys, now, LONGEST_WAIT);
  if (seconds === 0) return;
  throw new Problem(
    'too_many_attempts',
    `Too many failed sign-ins from ${guesser.source_address}. Try again in ${seconds} s.`,
    {
      retry_after: seconds,
    },
  );
}

export async function noteFailure(transaction: Transaction, guesser: Guesser, now: Date): Promise<void> {
  for (const [kind, key] of keysOf(guesser)) await slowDown(transaction, key, now, LIMITS[kind]);
}

/** Counts a failure of a stranger; answers how many this account has had of them. */
export async function noteStranger(transaction: Transaction, account: string, now: Date): Promise<number> {
  return countFailure(transaction, `account ${account}`, now, FORGET_AFTER);
}

/** Called after the right password. The count of the whole network stays. */
export async function forgetFailures(transaction: Transaction, guesser: Guesser): Promise<void> {
  for (const [kind, key] of keysOf(guesser)) if (kind !== 'address') await forget(transaction, key);
}

/** Verifications that one source network may run at a time: guesses sent together must not all count as the first. */
export const AT_ONCE = 3;
const verifying = new Map<string, number>();

/** Runs a verification for a known network, in one of its slots. @throws Problem 429 when all are taken. */
export async function inSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  const network = sourceNetwork(address);
  const taken = verifying.get(network) ?? 0;
  if (taken >= AT_ONCE) throw tooManyAtOnce(address);
  verifying.set(network, taken + 1);
  try {
    return await work();
  } finally {
    if (verifying.get(network) === 1) verifying.delete(network);
    else verifying.set(network, verifying.get(network)! - 1);
  }
}

export const tooManyAtOnce = (address: string): Problem =>
  new Problem('too_many_attempts', `Too many sign-ins from ${address} at once.`, { retry_after: 1 });
