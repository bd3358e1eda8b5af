// Verifies the second factor of a user whose password was right: the code of an authenticator, or a recovery code. Whoever
// signs users of the appliance in asks here: its own pages, and any other door to the same accounts.
import type { Clock } from '../../../ground/clock.ts';
import type { Keyring } from '../../../ground/sealing/keyring.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Role } from '../scopes.ts';
import { forgetFailures, noteFailure, refuseIfThrottled } from '../throttle.ts';
import { hasFactor, totpFactors, useStep } from './factor-store.ts';
import { mustHaveFactor } from './policy.ts';
import { looksLikeRecoveryCode, useRecoveryCode } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

interface Shell {
  keys: Keys;
  keyring: Keyring;
  clock: Clock;
}

export type UsedFactor = 'totp' | 'passkey' | 'recovery_code';

/** What is asked of a user after the password: a factor, to enrol one first, or nothing. */
export type Asked = 'factor' | 'enrol' | 'nothing';

export async function askedOf(db: Database, { id, role }: { id: string; role: Role }): Promise<Asked> {
  if (await hasFactor(db, id)) return 'factor';
  return (await mustHaveFactor(db, role)) ? 'enrol' : 'nothing';
}

/** Guesses at the second factor of a user count for themselves: only who knows the password can make any. */
export const factorGuesser = (keys: Keys, user_id: string, source_address: string) => ({
  source_address,
  account: keys.hmac('sign-in-name', `second factor ${user_id}`).toString('hex'),
  factor: user_id,
});

/**
 * Which kind of factor the typed code was of, and it is used up by that; null for a wrong one, which is counted. Both are
 * written in the caller's transaction, which has to commit even where the caller refuses (`refuse` of an answer).
 * @throws Problem 429 with the seconds to wait
 */
export async function verifySecondFactor(
  tx: Transaction,
  shell: Shell,
  { user_id, source_address }: { user_id: string; source_address: string },
  typed: string,
): Promise<Exclude<UsedFactor, 'passkey'> | null> {
  const now = shell.clock.now();
  const guesser = factorGuesser(shell.keys, user_id, source_address);
  await refuseIfThrottled(tx, guesser, now);
  const used = await usedCode(tx, shell, user_id, typed, now);
  if (used) await forgetFailures(tx, guesser);
  else await noteFailure(tx, guesser, now);
  return used;
}

async function usedCode(tx: Transaction, { keys, keyring }: Shell, user_id: string, typed: string, now: Date) {
  const code = typed.replaceAll(/\s/g, '');
  if (looksLikeRecoveryCode(code)) {
    return (await useRecoveryCode(tx, keys, user_id, code, now)) ? 'recovery_code' : null;
  }
  for (const { id, secret } of await totpFactors(tx, keyring, user_id)) {
    const step = matchingStep(secret, code, now);
    if (step !== null && (await useStep(tx, id, step, now))) return 'totp';
  }
  return null;
}
