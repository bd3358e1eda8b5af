// Passwords: scrypt (RFC 7914) in the thread pool, never on the event loop, at most two at a time so that a flood of
// sign-ins can't occupy the threads that the database needs.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Problem } from '../operation/problems.ts';

/** N = 2^16, r = 8, p = 1: 64 MiB and roughly 0.2 s on the small machines this runs on. */
const COST = { N: 1 << 16, r: 8, p: 1, maxmem: 96 << 20 };
const KEY_BYTES = 32;
const AT_ONCE = 2;
/** More hashes than this are not queued: a flood must not make a person wait. */
const WAITING_MOST = 16;

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 256;

let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a password: `scrypt$N$r$p$salt$key`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares in constant time. False also for a hash that can't be read. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const wanted = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return derived.length === wanted.length && timingSafeEqual(derived, wanted);
}

let decoy: Promise<string> | undefined;

/** Spends the time of a verification when there is no such user, so that the answer's time does not tell. */
export async function pretendToVerify(password: string): Promise<false> {
  // One that failed in a flood is not kept: it would tell unknown users from known ones until the next start.
  decoy ??= hashPassword(randomBytes(16).toString('hex')).catch((error: unknown) => {
    decoy = undefined;
    throw error;
  });
  await verifyPassword(password, await decoy);
  return false;
}

async function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  if (waiting.length >= WAITING_MOST) {
    throw new Problem('too_many_attempts', 'Too many sign-ins at this moment. Try again in a few seconds.', {
      retry_after: 5,
    });
  }
  while (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await new Promise((resolve, reject) =>
      scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key))),
    );
  } finally {
    running--;
    waiting.shift()?.();
  }
}
