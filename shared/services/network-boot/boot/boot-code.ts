// The code on the console, by which an operator identifies a boot. It is derived from the attempt's claim, so that
// every poll can print it again although only hashes are stored.
import type { Keys } from '../../../ground/sealing/keys.ts';

/** Without I and O, which look like 1 and 0 on a console. */
export const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
export const CODE_LENGTH = 8;
/** Wrong codes after which a pending attempt ends. */
export const WRONG_CODES_MOST = 5;
/** Bits that a guess has to hit: 36.7. */
export const CODE_BITS = CODE_LENGTH * Math.log2(CODE_ALPHABET.length);

/** `ABCDEFGH`. Skips bytes that would make some letters more likely than others. */
export function codeOfClaim(keys: Keys, claim: string): string {
  const fair = 256 - (256 % CODE_ALPHABET.length);
  let code = '';
  for (let round = 0; code.length < CODE_LENGTH; round++) {
    for (const byte of keys.hmac('boot-code', `code\0${round}\0${claim}`)) {
      if (byte < fair && code.length < CODE_LENGTH) code += CODE_ALPHABET[byte % CODE_ALPHABET.length];
    }
  }
  return code;
}

/** `ABCD-EFGH`, as the console shows it. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/**
 * The typed code in the form that is hashed; null when it can't be a code. Any dash counts as a hyphen, since chat and
 * mail programs replace hyphens.
 */
export function readCode(text: string): string | null {
  const code = text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  return code.length === CODE_LENGTH && [...code].every((letter) => CODE_ALPHABET.includes(letter)) ? code : null;
}

/** Keyed, because a plain hash of 36 bits could be searched. Hexadecimal. */
export function codeHash(keys: Keys, code: string): string {
  return keys.hmac('boot-code', `hash\0${code}`).toString('hex');
}
