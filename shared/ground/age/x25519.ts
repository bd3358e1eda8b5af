// The way through a key pair (RFC 7748): who has the public key, a recipient, can encrypt; only the private key, an
// identity, opens.
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';
import { fromBech32, toBech32 } from './bech32.ts';
import { AgeFault } from './fault.ts';
import { base64, derive, fromBase64, ONCE, openBox, sealBox } from './primitives.ts';
import type { Stanza } from './stanza.ts';

export const X25519 = 'X25519';
const INFO = 'age-encryption.org/v1/X25519';
const RECIPIENT = 'age';
const IDENTITY = 'age-secret-key-';
const BYTES = 32;
/** What stands before the 32 bytes of a key in its DER form (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');

const privateKey = (raw: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE, raw]), format: 'der', type: 'pkcs8' });
const publicKey = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' });
const publicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-BYTES);

/** A new identity, and the recipient that belongs to it. */
export function newIdentity(entropy: Entropy): { identity: string; recipient: string } {
  const raw = entropy.bytes(BYTES);
  const recipient = toBech32(RECIPIENT, publicBytes(privateKey(raw)));
  return { identity: toBech32(IDENTITY, raw).toUpperCase(), recipient };
}

/** @throws AgeFault recipient_malformed */
export function readRecipient(text: string): Buffer {
  const raw = fromBech32(RECIPIENT, text);
  if (raw?.length !== BYTES) throw new AgeFault('recipient_malformed');
  return raw;
}

/** @throws AgeFault identity_malformed */
export function readIdentity(text: string): Buffer {
  const raw = fromBech32(IDENTITY, text);
  if (raw?.length !== BYTES) throw new AgeFault('identity_malformed');
  return raw;
}

/** @throws AgeFault recipient_malformed */
export function wrapForRecipient(fileKey: Buffer, text: string, entropy: Entropy): Stanza {
  const recipient = readRecipient(text);
  const once = privateKey(entropy.bytes(BYTES));
  const share = publicBytes(once);
  const shared = agreed(once, recipient);
  // A public key of low order agrees with everybody on the same secret.
  if (!shared) throw new AgeFault('recipient_malformed');
  const body = sealBox(derive(shared, Buffer.concat([share, recipient]), INFO), ONCE, fileKey);
  return { kind: X25519, args: [base64(share)], body };
}

/** The file key, or null when the stanza is meant for somebody else. @throws AgeFault damaged */
export function unwrapWithIdentity({ args, body }: Stanza, raw: Buffer): Buffer | null {
  const share = args.length === 1 ? fromBase64(args[0] ?? '') : null;
  if (share?.length !== BYTES || body.length !== BYTES) throw new AgeFault('damaged');
  const identity = privateKey(raw);
  const shared = agreed(identity, share);
  if (!shared) throw new AgeFault('damaged');
  return openBox(derive(shared, Buffer.concat([share, publicBytes(identity)]), INFO), ONCE, body);
}

/** Null when the other key leads to zero whatever one's own is. */
function agreed(mine: KeyObject, theirs: Buffer): Buffer | null {
  try {
    const shared = diffieHellman({ privateKey: mine, publicKey: publicKey(theirs) });
    return shared.every((byte) => byte === 0) ? null : shared;
  } catch {
    return null;
  }
}
