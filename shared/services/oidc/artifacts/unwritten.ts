// Artifacts that were given out and are not in the database yet: found here until they are. A crash takes them away, so only those are
// put off that are worth nothing then: a code that nobody knows any more is refused as a wrong one is, the product asks anew, and the
// person is signed in still.
import type { Payload } from './artifacts.ts';

export class Unwritten {
  readonly #texts = new Map<string, string>();

  /** Until it is written, or could not be. */
  keep(key: string, payload: Payload, writing: Promise<unknown>): void {
    const text = JSON.stringify(payload);
    this.#texts.set(key, text);
    const done = () => {
      if (this.#texts.get(key) === text) this.#texts.delete(key);
    };
    writing.then(done, done);
  }

  /** A copy: nobody is given what another one may change. */
  find(key: string): Payload | null {
    const text = this.#texts.get(key);
    return text === undefined ? null : (JSON.parse(text) as Payload);
  }
}
