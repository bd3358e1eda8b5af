// Passwords: scrypt (RFC 7914) in the thread pool, never on the event loop, few at a time (hash-places.ts).
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../ground/problems.ts';
import { HashPlaces, type Place } from './hash-places.ts';
import { LOG_N } from './password-work.ts';

const COST = { N: 1 << LOG_N, r: 8, p: 1, maxmem: 96 << 20 };
const KEY_BYTES = 32;

export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 256;

const places = new HashPlaces();

/** Hashes a password: `scrypt$N$r$p$salt$key`, base64url. Only somebody who is signed in makes new ones. */
export async function hashPassword(password: string, place: Place = 'known'): Promise<string> {
  const salt = randomBytes(16);
  return written(salt, await derive(password, salt, COST, place));
}

function written(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares in constant time. False also for a hash that can't be read. @throws Problem 429 when too many wait */
export async function verifyPassword(password: string, hash: string, place: Place = 'anyone'): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const wanted = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost, place);
  return derived.length === wanted.length && timingSafeEqual(derived, wanted);
}

/** A hash that no password matches, at the usual cost. */
const decoy = written(randomBytes(16), randomBytes(KEY_BYTES));

/** Takes as long as a verification, so that the time of the answer does not reveal that there is no such user. */
export async function pretendToVerify(password: string, place: Place = 'anyone'): Promise<false> {
  await verifyPassword(password, decoy, place);
  return false;
}

async function derive(password: string, salt: Buffer, cost: typeof COST, place: Place): Promise<Buffer> {
  const key = await places.run(
    place,
    () =>
      new Promise<Buffer>((resolve, reject) =>
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, made) =>
          error ? reject(error) : resolve(made),
        ),
      ),
  );
  if (key) return key;
  throw new Problem('too_many_attempts', 'Too many sign-ins at the moment. Try again in a few seconds.', {
    retry_after: 5,
  });
}
