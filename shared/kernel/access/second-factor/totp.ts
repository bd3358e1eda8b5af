// Time-based one-time passwords (RFC 6238) as every authenticator app has them: SHA-1, 6 digits, steps of 30 seconds, and the
// address that an app reads from a QR code.
import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../../../ground/sealing/keys.ts';

export const TOTP_STEP_SECONDS = 30;
export const TOTP_DIGITS = 6;
/** Bytes of a secret: what HMAC-SHA-1 makes (RFC 4226, 4, R6). */
export const TOTP_SECRET_BYTES = 20;
/** Steps that the clock of a phone may be off, either way (RFC 6238, 5.2). */
const SKEW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Number of the step that this instant lies in. */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1000 / TOTP_STEP_SECONDS);

/** The code of a step (RFC 4226, 5.3). `digits` up to 8. */
export function totpCode(secret: Buffer, step: number, digits = TOTP_DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The newest step around now whose code this is, or null. Each is compared, in constant time. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | null {
  const current = totpStep(now);
  let found: number | null = null;
  for (let step = Math.max(0, current - SKEW); step <= current + SKEW; step++) {
    if (equalInConstantTime(totpCode(secret, step), code)) found = step;
  }
  return found;
}

/** RFC 4648, 6, without padding: what is typed into an app. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What an app reads from a QR code. `issuer`: name of the appliance; `account`: name of the user. */
export function otpauthUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${TOTP_DIGITS}&period=${TOTP_STEP_SECONDS}`;
  return `otpauth://totp/${label}?${query}`;
}
