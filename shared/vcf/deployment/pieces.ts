// The bytes of an OVA's members as one stream that takes the same memory however long it is: pieces are read into a few
// buffers in turn. Whoever reads it has to be done with a piece before asking for the one after the next, as a socket with
// backpressure is: at most three pieces are under way at once (one is read ahead, one waits, one is being sent).
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { OvaMember } from '../../ground/ova/archive.ts';
import { openOva, readExactly, requireUnchanged } from '../../ground/ova/ova-file.ts';
import type { OvaPackage } from '../../ground/ova/types.ts';

/** Small enough that encrypting one does not keep others waiting. */
export const PIECE_BYTES = 256 * 1024;
/** More than can be under way. */
const BUFFERS = 8;

/** @throws OvaFault `file_changed`, at the start and at the end, when the file is not the one that was checked */
export class MemberPieces extends Readable {
  readonly #pkg: Pick<OvaPackage, 'path' | 'size' | 'mtime_ms'>;
  readonly #members: readonly OvaMember[];
  readonly #buffers: Buffer[] = [];
  #file: FileHandle | null = null;
  #member = 0;
  #at = 0;
  #turn = 0;

  constructor(pkg: Pick<OvaPackage, 'path' | 'size' | 'mtime_ms'>, members: readonly OvaMember[]) {
    super({ highWaterMark: PIECE_BYTES });
    this.#pkg = pkg;
    this.#members = members;
  }

  override _construct(done: (error?: Error | null) => void): void {
    openOva(this.#pkg.path, this.#pkg).then(({ file }) => {
      this.#file = file;
      done();
    }, done);
  }

  override _read(): void {
    this.#next().then(
      (piece) => this.push(piece),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const file = this.#file;
    this.#file = null;
    Promise.resolve(file?.close()).then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }

  async #next(): Promise<Buffer | null> {
    const file = this.#file!;
    while (this.#members[this.#member] && this.#at === this.#members[this.#member]!.size) {
      this.#member++;
      this.#at = 0;
    }
    const member = this.#members[this.#member];
    if (!member) {
      await requireUnchanged(file, this.#pkg);
      return null;
    }
    const length = Math.min(PIECE_BYTES, member.size - this.#at);
    const piece = this.#buffer().subarray(0, length);
    await readExactly(file, piece, member.offset + this.#at);
    this.#at += length;
    return piece;
  }

  #buffer(): Buffer {
    this.#turn = (this.#turn + 1) % BUFFERS;
    this.#buffers[this.#turn] ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
    return this.#buffers[this.#turn]!;
  }
}
