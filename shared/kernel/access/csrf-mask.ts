// The CSRF token as it stands in a page: under a mask of its own for each answer. Pages are compressed, and how long a
// compressed page is tells what repeats in it (BREACH, https://breachattack.com, "Masking secrets"): a token that is another
// text each time can't be guessed bit by bit.
import type { Entropy } from '../../ground/clock.ts';

/** Random bytes, then the token's bytes under them; both as long as the token. */
export function masked(token: string, entropy: Entropy): string {
  const bytes = Buffer.from(token, 'base64url');
  const mask = entropy.bytes(bytes.length);
  return Buffer.concat([mask, under(mask, bytes)]).toString('base64url');
}

/** The token that was sent under a mask; another text as it is: it is compared with the token, and is none. */
export function unmasked(sent: string, token: string): string {
  const bytes = Buffer.from(sent, 'base64url');
  const { length } = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * length || bytes.toString('base64url') !== sent) return sent;
  return under(bytes.subarray(0, length), bytes.subarray(length)).toString('base64url');
}

const under = (mask: Buffer, bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ mask[at]!));
