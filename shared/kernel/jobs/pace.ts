// How fast something goes and how long it will take still, from the figures of the last seconds.
import type { Progress } from './job.ts';

/** Seconds that are averaged: enough for a steady figure, few enough to notice a stall. */
const WINDOW_SECONDS = 15;
/** Seconds before a rate is given. */
const LEAST_SECONDS = 2;

export class Pace {
  #points: { at: number; done: number }[] = [];

  /** `at`: milliseconds of a clock that only goes forward. */
  told(at: number, done: number): void {
    const last = this.#points.at(-1);
    // The task began again.
    if (last && done < last.done) this.#points = [];
    this.#points.push({ at, done });
    while (this.#points.length > 2 && at - this.#points[1]!.at >= WINDOW_SECONDS * 1000) this.#points.shift();
    // Called many times a second; one sample each tenth of a second is enough.
    const [before, newest] = [this.#points.at(-3), this.#points.at(-1)!];
    if (before && newest.at - before.at < 100) this.#points.splice(-2, 1);
  }

  /** Unknown in the first two seconds. */
  figures(total: number | undefined): Pick<Progress, 'bytes_per_second' | 'seconds_left'> {
    const [first, last] = [this.#points[0], this.#points.at(-1)];
    if (!first || !last || last.at - first.at < LEAST_SECONDS * 1000) return {};
    const rate = ((last.done - first.done) * 1000) / (last.at - first.at);
    const bytes_per_second = Math.round(rate);
    if (total === undefined) return { bytes_per_second };
    return { bytes_per_second, seconds_left: rate > 0 ? Math.ceil(Math.max(0, total - last.done) / rate) : null };
  }
}
