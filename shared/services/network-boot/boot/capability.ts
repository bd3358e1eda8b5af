// The two secrets of an attempt. The console polls with the claim, which is random. The installer fetches its Kickstart
// with the capability, which is derived, with a key outside the database, from everything that the attempt is bound to.
// Only hashes of both are stored.
import { createHash } from 'node:crypto';
import type { Entropy } from '../../../ground/clock.ts';
import { equalInConstantTime, type Keys } from '../../../ground/sealing/keys.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, base64url. */
export const newClaim = (entropy: Entropy): string => entropy.bytes(32).toString('base64url');
export const isSecret = (text: string): boolean => SECRET.test(text);

/** SHA-256, hexadecimal: enough for a secret of 256 bits. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export interface Binding {
  id: string;
  claim_hash: string;
  mac_address: string;
  kickstart_revision: string;
  listener_origin: string;
  applied_digest: string;
}

/** 256 bits, base64url. */
export function capabilityOf(keys: Keys, binding: Binding): string {
  const { id, claim_hash, mac_address, kickstart_revision, listener_origin, applied_digest } = binding;
  const bound = [id, claim_hash, mac_address, kickstart_revision, listener_origin, applied_digest];
  return keys.hmac('boot-capability', bound.join('\0')).toString('base64url');
}

/** Compares the hashes again in constant time: finding a row by the hash is not enough. */
export const isSecretOf = (secret: string, hash: string | null): boolean =>
  hash !== null && equalInConstantTime(secretHash(secret), hash);
