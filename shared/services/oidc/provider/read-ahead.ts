// Reads of one request that are begun before the library asks for them: what it will ask for is known, and those that are begun
// together share a statement. Each is taken once, so that a second look sees what was written meanwhile.
type Begun = Map<string, Promise<unknown>>;

export class ReadAhead {
  readonly #of = new WeakMap<object, Begun>();
  readonly #now: () => object | undefined;

  /** `now`: what stands for the request that is answered now. */
  constructor(now: () => object | undefined) {
    this.#now = now;
  }

  /** Nothing outside a request, and where it is begun already. */
  begin(key: string, read: () => Promise<unknown>): void {
    const now = this.#now();
    if (now === undefined) return;
    const begun: Begun = this.#of.get(now) ?? new Map();
    this.#of.set(now, begun);
    if (begun.has(key)) return;
    const reading = read();
    // Who takes it is told; where nobody does, nobody has to know.
    reading.catch(() => undefined);
    begun.set(key, reading);
  }

  take<V>(key: string): Promise<V> | undefined {
    const now = this.#now();
    const begun = now && this.#of.get(now);
    const read = begun?.get(key);
    begun?.delete(key);
    return read as Promise<V> | undefined;
  }
}
