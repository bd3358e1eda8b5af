// The last lines that the service logged, kept in memory: what there is of its log where no journal keeps it.

import type { Clock } from '../../ground/clock.ts';

/** Lines, and characters of one line. */
const LINES_KEPT = 2_000;
const LINE_MOST = 4_000;

export interface TailLine {
  /** Rises by one with each line. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  text: string;
}

export class LogTail {
  /** Tells the lines of this process from those of another one. */
  readonly began: number;
  readonly #clock: Clock;
  readonly #lines: TailLine[] = [];
  #next = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.began = clock.now().getTime();
  }

  add(text: string, at: number = this.#clock.now().getTime()): void {
    this.#lines.push({ number: this.#next, at, text: text.slice(0, LINE_MOST) });
    this.#next += 1;
    // Cut in one go: taking off the first of an array costs as much as the array is long.
    if (this.#lines.length >= 2 * LINES_KEPT) this.#lines.splice(0, LINES_KEPT);
  }

  /** Newest first, of numbers below `before`. */
  read(most: number, before: number = Number.POSITIVE_INFINITY): TailLine[] {
    const end = Math.min(this.#lines.length, Math.max(0, before - (this.#lines[0]?.number ?? before)));
    return this.#lines.slice(Math.max(0, end - most), end).reverse();
  }
}
