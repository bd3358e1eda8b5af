// The first code of an authenticator, which shows that the app has its secret: from then on it counts.
import type { Clock, Entropy } from '../../../ground/clock.ts';
import type { Keyring } from '../../../ground/sealing/keyring.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { forgetFailures, noteFailure, refuseIfThrottled } from '../throttle.ts';
import { findFactor, refuseMoreFactors, type SecondFactor, unconfirmedTotp, useStep } from './factor-store.ts';
import { recoveryCodesLeft, replaceRecoveryCodes } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';
import { factorGuesser } from './verify.ts';

interface Shell {
  keys: Keys;
  keyring: Keyring;
  clock: Clock;
  entropy: Entropy;
}

export interface Added {
  factor: SecondFactor;
  /** Of who had none left; null for who has some. */
  recovery_codes: string[] | null;
}

/** @throws Problem 409 when the user has as many factors as there may be */
export async function added(tx: Transaction, shell: Shell, user_id: string, id: string): Promise<Added> {
  const left = await recoveryCodesLeft(tx, user_id);
  return {
    factor: await findFactor(tx, user_id, id),
    recovery_codes: left > 0 ? null : await replaceRecoveryCodes(tx, shell, user_id),
  };
}

/**
 * Null for a wrong code, which is counted: the caller's transaction has to commit even where the caller refuses.
 * @throws Problem 404 when no authenticator of this id waits; 409; 429
 */
export async function confirmTotp(
  tx: Transaction,
  shell: Shell,
  { user_id, source_address }: { user_id: string; source_address: string },
  { factor_id, code }: { factor_id: string; code: string },
): Promise<Added | null> {
  const now = shell.clock.now();
  const guesser = factorGuesser(shell.keys, user_id, source_address);
  await refuseIfThrottled(tx, guesser, now);
  await refuseMoreFactors(tx, user_id);
  const { id, secret } = await unconfirmedTotp(tx, shell, user_id, factor_id);
  const step = matchingStep(secret, code.replaceAll(/\s/g, ''), now);
  if (step === null || !(await useStep(tx, id, step, now))) {
    await noteFailure(tx, guesser, now);
    return null;
  }
  await forgetFailures(tx, guesser);
  return added(tx, shell, user_id, id);
}
