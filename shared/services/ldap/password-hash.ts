// Hashes of directory passwords: argon2id (RFC 9106) as slapd's module verifies it. Debian's module makes weaker ones by
// itself, so it is given finished ones.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../platform/applied/baseline.ts';

/** OWASP's least for argon2id: 19 MiB, two passes. slapd needs as much for each bind. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Of what nobody can guess, a digest of 256 bits: each probe has slapd work it out anew. */
const CHEAP = { ...COST, memory: 64, passes: 1 } as const;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Each takes 19 MiB, and one of the few threads that the database needs as well. Others wait, in their order. */
const AT_ONCE = 2;
const waiting: (() => void)[] = [];
let running = 0;

/** At most two at a time, whoever asks: imports, single passwords, and the follower. */
async function derive(password: string, nonce: Buffer, cost: typeof COST | typeof CHEAP = COST): Promise<Buffer> {
  // Whoever ends hands the place on, so that nobody new gets it before those that wait.
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await new Promise((resolve, reject) =>
      argon2('argon2id', { message: Buffer.from(password, 'utf8'), nonce, ...cost }, (error, made) =>
        error ? reject(error) : resolve(made),
      ),
    );
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** For tests: how many run now, and how many wait. */
export const hashesNow = (): { running: number; waiting: number } => ({ running, waiting: waiting.length });

/** `{ARGON2}$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding. */
export async function argon2idHash(password: string, kind: 'password' | 'digest' = 'password'): Promise<string> {
  const nonce = randomBytes(16);
  const cost = kind === 'digest' ? CHEAP : COST;
  const made = await derive(password, nonce, cost);
  const { memory, passes, parallelism } = cost;
  return `{ARGON2}$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(made)}`;
}

/** Tells one hash from another and, by the random salt in it, nothing of its password. */
export const markOf = (hash: string): string => sha256(hash).slice(0, 16);

/** Whether a hash of ours is one of this password. */
export async function isHashOf(hash: string, password: string): Promise<boolean> {
  const [, , , , salt = '', made = ''] = hash.split('$');
  const known = Buffer.from(made, 'base64');
  const derived = await derive(password, Buffer.from(salt, 'base64'));
  return known.length === derived.length && timingSafeEqual(known, derived);
}
