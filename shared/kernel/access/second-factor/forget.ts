// Taking second factors away: of one user, and of an appliance that becomes new again.
import type { Transaction } from '../../../ground/store/database.ts';
import { removeFactors } from './factor-store.ts';
import { forgetRecoveryCodes } from './recovery-codes.ts';

/** All of a user, and the recovery codes; who does it ends the sessions too, and with them what waits for a factor. Answers how many factors there were. */
export async function resetFactors(tx: Transaction, user_id: string): Promise<number> {
  await forgetRecoveryCodes(tx, user_id);
  return removeFactors(tx, user_id);
}

/** Those of all users, and who must have one. */
export async function forgetSecondFactors(tx: Transaction): Promise<void> {
  for (const table of ['second_factor', 'recovery_code', 'sign_in_step', 'passkey_registration'] as const) {
    await tx.run(FORGET[table]);
  }
  await tx.run(`UPDATE second_factor_policy SET roles = '[]', user_verification = 'preferred', revision = revision + 1
    WHERE id = 1`);
}

const FORGET = {
  second_factor: 'DELETE FROM second_factor',
  recovery_code: 'DELETE FROM recovery_code',
  sign_in_step: 'DELETE FROM sign_in_step',
  passkey_registration: 'DELETE FROM passkey_registration',
};
