// How repeated failures slow a caller, at a sign-in, a boot code or a login of the depot: some failures are free, then
// the wait doubles with each one, up to the longest. Counts that must survive a restart are in the database
// (throttle-rows.ts), the others here, in memory and by the uptime clock.

/** The waits in seconds. */
export interface Slowing {
  /** Failures that cost nothing. */
  free: number;
  first_wait: number;
  longest_wait: number;
}

/** Seconds to wait after so many failures. */
export const waitAfter = ({ free, first_wait, longest_wait }: Slowing, failures: number): number =>
  failures < free ? 0 : Math.min(longest_wait, first_wait * 2 ** (failures - free));

export class Failures {
  readonly #known = new Map<string, { count: number; last: number }>();
  readonly #now: () => number;
  readonly #most: number;
  readonly #kept: number;

  /** `now` in milliseconds; of `most` keys at a time, each forgotten `seconds` after its last failure. */
  constructor(now: () => number, { most, seconds }: { most: number; seconds: number }) {
    this.#now = now;
    this.#most = most;
    this.#kept = seconds * 1000;
  }

  of(key: string): number {
    const known = this.#known.get(key);
    return known && this.#now() - known.last < this.#kept ? known.count : 0;
  }

  /** Counts one more; of too many keys the one goes that failed least lately. */
  add(key: string): void {
    const count = this.of(key) + 1;
    this.#known.delete(key);
    this.#known.set(key, { count, last: this.#now() });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#most) break;
      this.#known.delete(oldest);
    }
  }

  /** Whole seconds that it still has to wait; 0: none. */
  wait(key: string, slowing: Slowing): number {
    const until = (this.#known.get(key)?.last ?? 0) + waitAfter(slowing, this.of(key)) * 1000;
    return Math.max(0, Math.ceil((until - this.#now()) / 1000));
  }
}
