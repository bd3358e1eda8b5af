// Members stand in the order of their names, each once. One of them may stand apart: first or last, as a table of contents
// does.

export class NameOrder {
  readonly #apart: string | undefined;
  #before = '';
  #seen_apart = false;
  #closed = false;

  constructor(apart?: string) {
    this.#apart = apart;
  }

  /** Whether this name may follow those before. */
  admits(name: string): boolean {
    if (this.#closed) return false;
    if (name === this.#apart) {
      if (this.#seen_apart) return false;
      this.#seen_apart = true;
      this.#closed = this.#before !== '';
      return true;
    }
    if (name <= this.#before) return false;
    this.#before = name;
    return true;
  }
}
