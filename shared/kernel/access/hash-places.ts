// Limits how many password hashes run at a time. Strangers share one slot, so a flood of them does not delay known
// callers: users who are signed in, and networks that signed in to the account before.

/** `known`: see above. `anyone`: everybody else. */
export type Place = 'known' | 'anyone';

/** Each hash takes one of the few threads that the database needs as well. */
const AT_ONCE = { all: 2, anyone: 1 };
/** Most waiting, for each of the two. */
const WAITING_MOST = 16;

export class HashPlaces {
  readonly #waiting: Record<Place, (() => void)[]> = { known: [], anyone: [] };
  readonly #running: Record<Place, number> = { known: 0, anyone: 0 };

  /** Runs `work` in its turn; null at once when too many wait. Throws what `work` throws. */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T | null> {
    const waiting = this.#waiting[place];
    if (waiting.length >= WAITING_MOST) return null;
    if (waiting.length > 0 || !this.#free(place)) await new Promise<void>((resolve) => waiting.push(resolve));
    else this.#running[place] += 1;
    try {
      return await work();
    } finally {
      this.#running[place] -= 1;
      this.#next();
    }
  }

  #free(place: Place): boolean {
    const { known, anyone } = this.#running;
    return known + anyone < AT_ONCE.all && (place === 'known' || anyone < AT_ONCE.anyone);
  }

  /** Hands free places to those who wait, before a newcomer can take them. */
  #next(): void {
    for (const place of ['known', 'anyone'] as const) {
      while (this.#waiting[place].length > 0 && this.#free(place)) {
        this.#running[place] += 1;
        this.#waiting[place].shift()!();
      }
    }
  }
}
