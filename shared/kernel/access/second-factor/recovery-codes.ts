// Recovery codes: for who has lost the phone. Shown once, stored as HMACs, each good for one sign-in.
import { type Entropy, instant } from '../../../ground/clock.ts';
import type { Keys } from '../../../ground/sealing/keys.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';

/** Codes of a set. */
export const RECOVERY_CODES = 10;
/** Characters of a code, of 5 random bits each: 80 bits, which nobody guesses from its HMAC without the key. */
const CHARACTERS = 16;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Small letters and digits as they are compared: however they were typed. */
const plain = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '');

export const looksLikeRecoveryCode = (typed: string): boolean =>
  plain(typed).length === CHARACTERS && [...plain(typed)].every((letter) => ALPHABET.includes(letter));

/** New codes in the place of all earlier ones: `abcd-efgh-jkmn-pqrs`. They are in nothing but this answer. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  { keys, entropy }: { keys: Keys; entropy: Entropy },
  user_id: string,
): Promise<string[]> {
  await forgetRecoveryCodes(tx, user_id);
  const codes = Array.from({ length: RECOVERY_CODES }, () => made(entropy));
  for (const code of codes) {
    await tx.run('INSERT INTO recovery_code (user_id, code_hash) VALUES (?, ?)', [user_id, hash(keys, user_id, code)]);
  }
  return codes;
}

/** Whether this code could still be used: it can't any more after that. One statement, so that of two at once one wins. */
export async function useRecoveryCode(
  tx: Transaction,
  keys: Keys,
  user_id: string,
  typed: string,
  now: Date,
): Promise<boolean> {
  const used = await tx.run(
    'UPDATE recovery_code SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL',
    [instant(now), user_id, hash(keys, user_id, typed)],
  );
  return used === 1;
}

/** Codes that were not used yet. */
export async function recoveryCodesLeft(db: Database, user_id: string): Promise<number> {
  const row = await db.one<{ left: number }>(
    'SELECT count(*) AS left FROM recovery_code WHERE user_id = ? AND used_at IS NULL',
    [user_id],
  );
  return row!.left;
}

export async function forgetRecoveryCodes(tx: Transaction, user_id: string): Promise<void> {
  await tx.run('DELETE FROM recovery_code WHERE user_id = ?', [user_id]);
}

function made(entropy: Entropy): string {
  const letters = [...entropy.bytes(CHARACTERS)].map((byte) => ALPHABET[byte & 31]).join('');
  return letters.match(/.{4}/g)!.join('-');
}

const hash = (keys: Keys, user_id: string, code: string): string =>
  keys.hmac('recovery-code', `${user_id}\0${plain(code)}`).toString('base64url');
