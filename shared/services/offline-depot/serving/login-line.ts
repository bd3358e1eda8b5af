// The queue for the one password hash that the depot computes at a time. Networks with the fewest failures go first, so
// that a guesser only delays other guessers; a full queue drops the entry with the most failures.

/** Entries in all and of one network: at a fifth of a second each, nobody waits longer than some 15 s. */
const MOST = { all: 64, each: 4 };

interface Waiting {
  from: string;
  go(): Promise<void>;
  drop(): void;
}

export class LoginLine {
  readonly #failuresOf: (from: string) => number;
  /** In the order of arrival. */
  #waiting: Waiting[] = [];
  #busy = false;

  /** `failuresOf`: present number of failures of a network. */
  constructor(failuresOf: (from: string) => number) {
    this.#failuresOf = failuresOf;
  }

  /** Runs `work` in its turn; null when the queue is full or dropped the entry. */
  take<T>(from: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#waiting.filter((each) => each.from === from).length >= MOST.each) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ from, go: () => work().then(resolve, reject), drop: () => resolve(null) });
      if (this.#waiting.length > MOST.all) this.#remove(this.#last()).drop();
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) await this.#remove(this.#first()).go();
    this.#busy = false;
  }

  #remove(waiting: Waiting): Waiting {
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    return waiting;
  }

  #byFailures(): Waiting[] {
    return this.#waiting.toSorted((a, b) => this.#failuresOf(a.from) - this.#failuresOf(b.from));
  }

  #first(): Waiting {
    return this.#byFailures()[0]!;
  }

  #last(): Waiting {
    return this.#byFailures().at(-1)!;
  }
}
