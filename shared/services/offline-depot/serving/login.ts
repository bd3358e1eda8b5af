// Basic logins of the depot (RFC 7617). A password's hash takes a fifth of a second on purpose, which no request but the
// first can pay: one that was right is remembered in memory, keyed so that what is remembered is of no use to anybody, and
// bound to the stored hash, so that a new password counts from the next request on.
import { createHmac, randomBytes } from 'node:crypto';
import { sourceNetwork } from '../../../ground/addresses/source.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { pretendToVerify, verifyPassword } from '../../../kernel/access/password.ts';
import { Failures } from '../../../kernel/access/slowing.ts';
import { passwordHashOf } from '../users.ts';
import { LoginLine } from './login-line.ts';

export type LoginResult = 'right' | 'wrong' | { wait_seconds: number };

/** Wrong logins of one network, and of how many they are remembered. */
const SLOWING = { free: 10, first_wait: 2, longest_wait: 60 };
const REMEMBERED = { most: 4096, seconds: 15 * 60 };
/** Logins that are remembered. */
const KEPT = { right: 256, wrong: 1024 };
/** For whom the line is too long. */
const BUSY_SECONDS = 5;

/** Name and password of an Authorization header; null when it is none. */
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
   * Logins that were wrong, with where they came from. An appliance that keeps asking with an old password is no guesser: it
   * costs no hash, and those beside it don't wait for it.
   */
  readonly #wrong = new Set<string>();
  /** The same login of many requests at once is held against its hash once. */
  readonly #running = new Map<string, Promise<LoginResult>>();
  readonly #failures: Failures;
  /** One hash at a time, for the whole depot: signing in to the management UI needs its share of the processor. */
  readonly #line = new LoginLine((from) => this.#failures.of(from));

  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#failures = new Failures(now, REMEMBERED);
  }

  /** `user`: the one that is let in, null for nobody. `address` is where the request comes from. */
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

  /** Its turn has come: what was asked before may have been answered by others meanwhile. */
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
      // So many sign in to the management UI that there is no place for another hash.
      if (error instanceof Problem) return { wait_seconds: error.members.retry_after ?? BUSY_SECONDS };
      throw error;
    }
  }
}

/** Forgets the oldest beyond `most`. */
function keep(set: Set<string>, item: string, most: number): void {
  set.add(item);
  for (const oldest of set) {
    if (set.size <= most) break;
    set.delete(oldest);
  }
}
