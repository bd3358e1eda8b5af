// What this process answered since it started, by plane and status class: two labels of few words, so that a stranger who
// asks for a thousand paths makes no new series.
import { Distribution } from '../../ground/metrics/distribution.ts';
import type { Family } from '../../ground/metrics/exposition.ts';
import type { Plane } from './operation.ts';

/** Seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Where nothing answers at the path, there is no plane. */
type Place = Plane | 'none';

export class Traffic {
  readonly #answers = new Map<string, { place: Place; status: string; count: number }>();
  readonly #durations = new Map<Place, Distribution>();

  /** An answer of an operation; `milliseconds` from its beginning. */
  answered(plane: Plane, status: number, milliseconds: number): void {
    this.#count(plane, status);
    const durations = this.#durations.get(plane) ?? new Distribution(BOUNDS);
    this.#durations.set(plane, durations);
    durations.observe(milliseconds / 1000);
  }

  /** A refusal outside of any operation. */
  refused(status: number): void {
    this.#count('none', status);
  }

  #count(place: Place, code: number): void {
    const status = `${Math.floor(code / 100)}xx`;
    const key = `${place} ${status}`;
    const found = this.#answers.get(key);
    if (found) found.count++;
    else this.#answers.set(key, { place, status, count: 1 });
  }

  families(): Family[] {
    return [
      {
        name: 'groundcrew_http_requests',
        type: 'counter',
        help: 'Requests answered, by plane (none: nothing is at the path) and class of the status.',
        samples: [...this.#answers.values()].map(({ place, status, count }) => ({
          labels: { plane: place, status },
          value: count,
        })),
      },
      {
        name: 'groundcrew_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the start of an operation to its answer, by plane.',
        samples: [...this.#durations].flatMap(([plane, durations]) => durations.samples({ plane })),
      },
    ];
  }
}
