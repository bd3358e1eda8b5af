// Basic logins of the depot (RFC 7617). A password's hash takes a fifth of a second on purpose, which no request but the
// first can pay: one that was right is remembered in memory, keyed so that what is remembered is of no use to anybody, and
// bound to the stored hash, so that a new password counts from the next request on.
import { createHmac, randomBytes } from 'node:crypto';
import { pretendToVerify, verifyPassword } from '../access/password.ts';
import type { Database } from '../store/database.ts';
import { passwordHashOf } from './users.ts';

export type LoginResult = 'right' | 'wrong' | { wait_seconds: number };

/** Wrong logins of one address that are free; from then on each has to wait. */
const FREE = 10;
const WAIT_SECONDS = { first: 2, longest: 60 };
const FORGET_MS = 15 * 60_000;
/** Addresses whose failures are remembered, and logins that are. */
const KEPT = { addresses: 4096, right: 256 };
/** Hashes at once, for the whole depot: signing in to the management UI needs its share of the processor. */
const WAITING_MOST = 8;

/** Name and password of an Authorization header; null when it is none. */
export function basicLogin(header: string | undefined): { username: string; password: string } | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

interface Failures {
  count: number;
  last: number;
  until: number;
}

export class DepotLogins {
  readonly #db: Database;
  readonly #key = randomBytes(32);
  /** HMAC of logins that were right. */
  readonly #right = new Set<string>();
  /** The same login of many requests at once is held against its hash once. */
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #failures = new Map<string, Failures>();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #now: () => number;

  constructor(db: Database, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#now = now;
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
    const wait = this.#waitOf(address);
    if (wait > 0) return { wait_seconds: wait };
    const running = this.#running.get(key);
    if (!running && this.#running.size >= WAITING_MOST) return { wait_seconds: 1 };
    const right = await (running ?? this.#verifyInTurn(key, login.password, hash));
    if (right) this.#remember(key);
    else if (!running) this.#failed(address);
    return right ? 'right' : 'wrong';
  }

  #keyOf({ username, password }: { username: string; password: string }, hash: string | null): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([username, password, hash]))
      .digest('base64');
  }

  #verifyInTurn(key: string, password: string, hash: string | null): Promise<boolean> {
    const verified = this.#turn.then(() =>
      hash === null ? pretendToVerify(password) : verifyPassword(password, hash),
    );
    this.#turn = verified.catch(() => undefined);
    const ended = verified.finally(() => this.#running.delete(key));
    this.#running.set(key, ended);
    return ended;
  }

  #remember(key: string): void {
    this.#right.add(key);
    for (const oldest of this.#right) {
      if (this.#right.size <= KEPT.right) break;
      this.#right.delete(oldest);
    }
  }

  #waitOf(address: string): number {
    const left = (this.#failures.get(address)?.until ?? 0) - this.#now();
    return left > 0 ? Math.ceil(left / 1000) : 0;
  }

  #failed(address: string): void {
    const now = this.#now();
    const known = this.#failures.get(address);
    const count = known && now - known.last < FORGET_MS ? known.count + 1 : 1;
    const over = count - FREE;
    const wait = over < 0 ? 0 : Math.min(WAIT_SECONDS.longest, WAIT_SECONDS.first * 2 ** over);
    this.#failures.delete(address);
    this.#failures.set(address, { count, last: now, until: now + wait * 1000 });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= KEPT.addresses) break;
      this.#failures.delete(oldest);
    }
  }
}
