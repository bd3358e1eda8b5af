// The line before the one hash that the depot makes at a time. Who failed least goes first, so that a guesser only ever
// delays those who guess as he does; a line that is full drops the one who failed most.

/** Waiting ones for the whole depot, and of one network: at a fifth of a second each, nobody waits longer than some 15 s. */
const MOST = { all: 64, each: 4 };

interface Waiting {
  from: string;
  go(): Promise<void>;
  drop(): void;
}

export class LoginLine {
  readonly #failuresOf: (from: string) => number;
  /** In the order in which they came. */
  #waiting: Waiting[] = [];
  #busy = false;

  /** `failuresOf` a network, as it is at the moment of asking. */
  constructor(failuresOf: (from: string) => number) {
    this.#failuresOf = failuresOf;
  }

  /** Runs `work` when it is the turn of it; null when there is no place in the line, or not any more. */
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
