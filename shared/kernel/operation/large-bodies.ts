// Large bodies are in memory two at a time, from their first byte until their operation is done with them: many at once would fill
// it. Others wait in their connections, for less than the time that a request has.
import { Problem } from '../../ground/problems.ts';

export interface PlaceLimits {
  /** Bodies that are held at once. */
  places: number;
  /** Requests that wait for one of them. */
  waiting: number;
  /** Milliseconds that each waits at most. */
  patience: number;
}

/** Seconds after which there may be a place again: half of what a request has to arrive in. */
const RETRY_AFTER = 8;

export class LargeBodies {
  readonly #limits: PlaceLimits;
  readonly #waiting = new Set<() => void>();
  #held = 0;

  constructor(limits: PlaceLimits = { places: 2, waiting: 16, patience: 10_000 }) {
    this.#limits = limits;
  }

  /** Answers what gives the place back, which may be called any number of times. @throws Problem 429 when there is none in time */
  async take(): Promise<() => void> {
    if (this.#held < this.#limits.places) this.#held++;
    else await this.#turn();
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveOn();
    };
  }

  /** Resolves when the place of another one was handed on. */
  #turn(): Promise<void> {
    if (this.#waiting.size >= this.#limits.waiting) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const come = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(come);
        reject(tooMany());
      }, this.#limits.patience);
      timer.unref();
      this.#waiting.add(come);
    });
  }

  #giveOn(): void {
    const [next] = this.#waiting;
    if (!next) return void this.#held--;
    this.#waiting.delete(next);
    next();
  }
}

const tooMany = (): Problem =>
  new Problem('too_many_attempts', 'Other large files are being received. Send this one again in a moment.', {
    retry_after: RETRY_AFTER,
  });
