// Writes of one request that the next one of it waits for: what a request writes is in one transaction where it can be, and waits
// for the disk once. Nobody is answered before all of it is written.
export class Carried {
  readonly #of = new WeakMap<object, Promise<unknown>[]>();
  readonly #now: () => object | undefined;

  /** `now`: what stands for the request that is answered now. */
  constructor(now: () => object | undefined) {
    this.#now = now;
  }

  /** Goes on at once, in a request; elsewhere when it is written. */
  async carry(writing: Promise<unknown>): Promise<void> {
    const now = this.#now();
    if (now === undefined) return void (await writing);
    // Told to who waits for it.
    writing.catch(() => undefined);
    this.#of.set(now, [...(this.#of.get(now) ?? []), writing]);
  }

  /** @throws what one of those that were carried throws, the first first */
  async settle(now: object | undefined = this.#now()): Promise<void> {
    const writing = (now && this.#of.get(now)) ?? [];
    if (now) this.#of.delete(now);
    for (const each of writing) await each;
  }
}
