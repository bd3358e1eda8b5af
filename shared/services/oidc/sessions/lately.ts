// What was saved of sessions a moment ago: the library saves one at each visit, mostly with nothing new in it but a later end.
import { createHash } from 'node:crypto';
import type { Payload } from '../artifacts/artifacts.ts';
import type { Seen } from './sessions.ts';

/** Milliseconds for which the end that was saved is late enough: of twelve hours, nobody misses it. */
const GOOD_MS = 60_000;
/** A digest and a time each. */
const KEPT_MOST = 10_000;

interface Saved {
  digest: string;
  at: number;
}

export class Lately {
  readonly #saved = new Map<string, Saved>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Whether all of it is saved already; `seen` null: nothing new is known of the person. */
  knows(id: string, payload: Payload, seen: Seen | null): boolean {
    const saved = this.#saved.get(id);
    if (saved === undefined || Math.abs(this.#now().getTime() - saved.at) >= GOOD_MS) return false;
    return seen !== null && saved.digest === digestOf(payload, seen);
  }

  /** Once it is written. */
  note(id: string, payload: Payload, seen: Seen | null): void {
    this.#saved.delete(id);
    if (seen !== null) this.#saved.set(id, { digest: digestOf(payload, seen), at: this.#now().getTime() });
    if (this.#saved.size > KEPT_MOST) this.#saved.delete(this.#saved.keys().next().value!);
  }

  forget(id: string): void {
    this.#saved.delete(id);
  }
}

/** Of all but when it was saved, and when it ends; members in one order, which is another one after a session was read. */
function digestOf({ iat: _iat, exp: _exp, ...payload }: Payload, seen: Seen): string {
  const members = Object.entries(payload)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([members, seen]))
    .digest('base64url');
}
