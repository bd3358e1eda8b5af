// What a shell prints comes in pieces of a few bytes to 4 KiB, each in memory of its own outside of the heap. They are gathered in
// blocks that are used again and again: nothing lives as long as its page takes to draw it, and no collector has to find it.
import { LIMITS } from './limits.ts';

const free: Buffer[] = [];
const take = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(LIMITS.block);
const giveBack = (block: Buffer): void => {
  if (free.length < LIMITS.blocks) free.push(block);
};

/** Output on its way to a page. */
export class Blocks {
  readonly #send: (bytes: Buffer, sent: () => void) => void;
  #block: Buffer | null = null;
  #length = 0;
  #due: NodeJS.Immediate | null = null;

  /** `sent`: nobody reads the bytes any more. */
  constructor(send: (bytes: Buffer, sent: () => void) => void) {
    this.#send = send;
  }

  /** Sent when a block is full, or once all that can be read now was read. */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      this.#block ??= take();
      const count = bytes.copy(this.#block, this.#length, at);
      at += count;
      this.#length += count;
      if (this.#length === LIMITS.block) this.flush();
    }
    if (this.#block !== null) this.#due ??= setImmediate(() => this.flush());
  }

  flush(): void {
    const block = this.#block;
    if (block === null) return;
    const bytes = block.subarray(0, this.#length);
    this.#begin();
    let once = false;
    this.#send(bytes, () => {
      if (!once) giveBack(block);
      once = true;
    });
  }

  /** What was not sent yet is not sent any more. */
  drop(): void {
    if (this.#block !== null) giveBack(this.#block);
    this.#begin();
  }

  #begin(): void {
    this.#block = null;
    this.#length = 0;
    if (this.#due !== null) clearImmediate(this.#due);
    this.#due = null;
  }
}

/** Output that came after a shell was told to wait: as much as the window of SSH lets it send. */
export class Backlog {
  readonly #blocks: { bytes: Buffer; length: number }[] = [];

  /** Bytes that it takes: whole blocks. */
  get size(): number {
    return this.#blocks.length * LIMITS.block;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      let last = this.#blocks.at(-1);
      if (last === undefined || last.length === LIMITS.block) {
        last = { bytes: take(), length: 0 };
        this.#blocks.push(last);
      }
      const count = bytes.copy(last.bytes, last.length, at);
      at += count;
      last.length += count;
    }
  }

  get empty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Gives the first of it to whoever copies it at once. */
  next(use: (bytes: Buffer) => void): void {
    const first = this.#blocks.shift();
    if (first === undefined) return;
    use(first.bytes.subarray(0, first.length));
    giveBack(first.bytes);
  }

  drop(): void {
    for (const { bytes } of this.#blocks.splice(0)) giveBack(bytes);
  }
}
