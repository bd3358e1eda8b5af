// Secrets of clients: 256 random bits, of which only a digest is kept. Nothing that random is found from its digest, so no slow
// hash is needed, and none that depends on this appliance: a restored client goes on.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Entropy } from '../../../ground/clock.ts';

const BYTES = 32;

export interface NewSecret {
  /** Given once, and kept nowhere. */
  secret: string;
  secret_sha256: string;
}

export function newSecret(entropy: Entropy): NewSecret {
  const secret = entropy.bytes(BYTES).toString('base64url');
  return { secret, secret_sha256: digestOf(secret) };
}

export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export interface KeptSecrets {
  secret_sha256: string;
  former_sha256: string;
  former_until: string | null;
}

/** Whether it is one of the secrets, in constant time. `now`: RFC 3339 in UTC. */
export function isSecret(
  { secret_sha256, former_sha256, former_until }: KeptSecrets,
  sent: string,
  now: string,
): boolean {
  const digest = Buffer.from(digestOf(sent), 'hex');
  const same = (kept: string): boolean => {
    const bytes = Buffer.from(kept, 'hex');
    return bytes.length === digest.length && timingSafeEqual(bytes, digest);
  };
  const current = same(secret_sha256);
  const former = same(former_sha256) && former_until !== null && former_until > now;
  return current || former;
}
