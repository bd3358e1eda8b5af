// An authenticator app: what it makes of the secret that it was given (RFC 6238).
import { totpCode, totpStep } from '../../shared/kernel/access/second-factor/totp.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @param secret in base32, as it is shown */
export function secretBytes(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

export const authenticatorCode = (secret: string, at: Date): string => totpCode(secretBytes(secret), totpStep(at));
