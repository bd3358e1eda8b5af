// Basic logins of the depot (RFC 7617). Hashing a password takes a fifth of a second on purpose, too long for every
// request. So a right login is remembered in memory: as a keyed digest, which is of no use elsewhere, and bound to the
// stored hash, so that a new password takes effect with the next request.
import { createHmac, randomBytes } from 'node:crypto';
import { sourceNetwork } from '../../../ground/addresses/source.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { pretendToVerify, verifyPassword } from '../../../kernel/access/password.ts';
import { Failures } from '../../../kernel/access/slowing.ts';
import { passwordHashOf } from '../users.ts';
import { LoginLine } from './login-line.ts';

export type LoginResult = 'right' | 'wrong' | { wait_seconds: number };

/** Waits after wrong logins of one network. */
const SLOWING = { free: 10, first_wait: 2, longest_wait: 60 };
const REMEMBERED = { most: 4096, seconds: 15 * 60 };
/** Logins that are remembered, at most. */
const KEPT = { right: 256, wrong: 1024 };
/** Seconds to wait when the queue is full. */
const BUSY_SECONDS = 5;

/** Name and password of an Authorization header; null when it has none. */
export function basicLogin(header: string | undefined): { username: string; password: string } | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

interface Held {
  from: string;
  key: string;
  hash: string | null;
  password: string;
}

export class DepotLogins {
  readonly #db: Database;
  readonly #key = randomBytes(32);
  /** HMAC of logins that were right. */
  readonly #right = new Set<string>();
  /**
   * Wrong logins, each with its network. An appliance that repeats an old password is no guesser: it needs no hash, and
   * does not delay others.
   */
  readonly #wrong = new Set<string>();
  /** Checks that run now: many requests at once with the same login share one hash. */
  readonly #running = new Map<string, Promise<LoginResult>>();
  readonly #failures: Failures;
  /** One hash at a time, for the whole depot: signing in to the management UI needs its share of the processor. */
  readonly #line = new LoginLine((from) => this.#failures.of(from));

  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#failures = new Failures(now, REMEMBERED);
  }

  /** `user`: the admitted user, null for nobody. `address`: where the request comes from. */
  async verify(
    user: string | null,
    address: string,
    login: { username: string; password: string },
  ): Promise<LoginResult> {
    const hash = user !== null && login.username === user ? await passwordHashOf(this.#db, user) : null;
    const key = this.#keyOf(login, hash);
    if (this.#right.has(key)) return 'right';
    const from = sourceNetwork(address);
    const same = `${from} ${key}`;
    if (this.#wrong.has(same)) return 'wrong';
    const wait = this.#failures.wait(from, SLOWING);
    if (wait > 0) return { wait_seconds: wait };
    const running = this.#running.get(same);
    if (running) return running;
    const verified = this.#line
      .take(from, () => this.#held({ from, key, hash, password: login.password }))
      .then((result) => {
        if (result === 'wrong') keep(this.#wrong, same, KEPT.wrong);
        return result ?? { wait_seconds: BUSY_SECONDS };
      })
      .finally(() => this.#running.delete(same));
    this.#running.set(same, verified);
    return verified;
  }

  #keyOf({ username, password }: { username: string; password: string }, hash: string | null): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([username, password, hash]))
      .digest('base64');
  }

  /** Checks the login in its turn, unless another request has answered it meanwhile. */
  async #held({ from, key, hash, password }: Held): Promise<LoginResult> {
    if (this.#right.has(key)) return 'right';
    const wait = this.#failures.wait(from, SLOWING);
    if (wait > 0) return { wait_seconds: wait };
    try {
      const right = await (hash === null ? pretendToVerify(password) : verifyPassword(password, hash));
      if (right) keep(this.#right, key, KEPT.right);
      else this.#failures.add(from);
      return right ? 'right' : 'wrong';
    } catch (error) {
      // The management UI has so many sign-ins that there is no room for another hash.
      if (error instanceof Problem) return { wait_seconds: error.members.retry_after ?? BUSY_SECONDS };
      throw error;
    }
  }
}

/** Forgets the oldest items beyond `most`. */
function keep(set: Set<string>, item: string, most: number): void {
  set.add(item);
  for (const oldest of set) {
    if (set.size <= most) break;
    set.delete(oldest);
  }
}
