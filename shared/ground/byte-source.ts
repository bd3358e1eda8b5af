// Bytes that arrive in pieces of any size, taken in pieces that the reader wants. Holds no more than one of each.

/** What a format is read from or written as. */
export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>;

const NONE = Buffer.alloc(0);
const NEWLINE = 0x0a;

export class ByteSource {
  readonly #pieces: AsyncIterator<Buffer> | Iterator<Buffer>;
  #rest: Buffer = NONE;
  #ended = false;

  constructor(bytes: Bytes) {
    this.#pieces = Symbol.asyncIterator in bytes ? bytes[Symbol.asyncIterator]() : bytes[Symbol.iterator]();
  }

  /** 1 to `most` bytes; none at the end. */
  async some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0) await this.#more();
    return this.#cut(most);
  }

  /** `count` bytes; fewer at the end only. */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let left = count;
    while (left > 0) {
      const piece = await this.some(left);
      if (piece.length === 0) break;
      pieces.push(piece);
      left -= piece.length;
    }
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  /** The bytes before the next newline, which is passed over. Null: none within `most` bytes, or before the end. */
  async line(most: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    let length = 0;
    while (length <= most) {
      if (this.#rest.length === 0) await this.#more();
      const end = this.#rest.indexOf(NEWLINE);
      const piece = this.#cut(Math.min(end < 0 ? this.#rest.length : end, most + 1 - length));
      length += piece.length;
      pieces.push(piece);
      if (this.#rest[0] === NEWLINE && length <= most) {
        this.#rest = this.#rest.subarray(1);
        return Buffer.concat(pieces);
      }
      if (end < 0 && this.#ended && this.#rest.length === 0) return null;
    }
    return null;
  }

  /** Nothing is left. */
  async ended(): Promise<boolean> {
    if (this.#rest.length === 0) await this.#more();
    return this.#rest.length === 0;
  }

  /** Whoever reads no further says so: what the bytes come from closes its files. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#pieces.return?.();
  }

  #cut(most: number): Buffer {
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async #more(): Promise<void> {
    while (!this.#ended && this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    }
  }
}
