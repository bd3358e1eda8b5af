// A histogram that is counted as it happens: a number for each bound, whatever is observed.
import type { Sample } from './exposition.ts';

export class Distribution {
  readonly #bounds: readonly number[];
  /** Observations up to each bound and above the one before it; last those above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds`: ascending, in the base unit of what is observed. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound);
    this.#counts[at === -1 ? this.#bounds.length : at]! += 1;
    this.#sum += value;
  }

  samples(labels: Readonly<Record<string, string>> = {}): Sample[] {
    let count = 0;
    const buckets = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, at): Sample => {
      count += this.#counts[at]!;
      const le = Number.isFinite(bound) ? String(bound) : '+Inf';
      return { suffix: '_bucket', labels: { ...labels, le }, value: count };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }];
  }
}
