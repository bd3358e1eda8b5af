// The last lines that the service logged, kept in memory: what there is of its log where no journal keeps it. They are bytes of
// one buffer, for a string of each would live just long enough to fill the heap with what only a full collection takes away.

import type { Clock } from '../../ground/clock.ts';

/** Lines, bytes of them together, and characters of one. */
const LINES_KEPT = 4_000;
const BYTES_KEPT = 1 << 20;
const LINE_MOST = 4_000;

/** A UTF-16 code unit takes at most so many bytes in UTF-8. */
const WIDEST = 3;

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
  /** Its pages are taken from the machine as they are written. */
  readonly #bytes = Buffer.allocUnsafeSlow(BYTES_KEPT);
  /** Of line n at n % LINES_KEPT. Places count on past the end of the buffer, as if it began again there. */
  readonly #begins = new Float64Array(LINES_KEPT);
  readonly #ends = new Float64Array(LINES_KEPT);
  readonly #ats = new Float64Array(LINES_KEPT);
  #next = 1;
  #end = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.began = clock.now().getTime();
  }

  add(text: string, at: number = this.#clock.now().getTime()): void {
    const line = text.slice(0, LINE_MOST);
    let place = this.#end % BYTES_KEPT;
    if (place + WIDEST * line.length > BYTES_KEPT) {
      // A line lies in one piece.
      this.#end += BYTES_KEPT - place;
      place = 0;
    }
    const row = this.#next % LINES_KEPT;
    this.#begins[row] = this.#end;
    this.#end += this.#bytes.write(line, place);
    this.#ends[row] = this.#end;
    this.#ats[row] = at;
    this.#next += 1;
  }

  /** Newest first, of numbers below `before`. */
  read(most: number, before: number = Number.POSITIVE_INFINITY): TailLine[] {
    const lines: TailLine[] = [];
    const oldest = Math.max(1, this.#next - LINES_KEPT);
    for (let number = Math.min(this.#next, before) - 1; number >= oldest && lines.length < most; number--) {
      const row = number % LINES_KEPT;
      const begin = this.#begins[row]!;
      if (begin < this.#end - BYTES_KEPT) break; // written over, as all before it
      const place = begin % BYTES_KEPT;
      const text = this.#bytes.toString('utf8', place, place + this.#ends[row]! - begin);
      lines.push({ number, at: this.#ats[row]!, text });
    }
    return lines;
  }
}
