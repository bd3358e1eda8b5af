// Reads a tar archive that `write.ts` wrote, as a stream: never more than a piece of it in memory. Only what the writer
// would write byte for byte is accepted, so links, sparse files, extended headers, twins and hidden data have no form here.
import { ByteSource, type Bytes } from '../byte-source.ts';
import { TAR_LIMITS, TarFault } from './fault.ts';
import { BLOCK, checksumOf, headerOf, isMemberName, isZero, paddingOf } from './header.ts';
import { NameOrder } from './order.ts';

export interface TarMember {
  name: string;
  size: number;
  /** To be read before the next member is asked for; what isn't is passed over. */
  data: AsyncIterable<Buffer>;
}

/**
 * What was read before a fault is as the file has it; the fault may come with the last block. So nothing may be kept of it
 * until the end was reached.
 * @param apart the name that may stand first or last
 * @throws TarFault
 */
export async function* readTar(bytes: Bytes, apart?: string): AsyncGenerator<TarMember> {
  const source = new ByteSource(bounded(bytes));
  const order = new NameOrder(apart);
  try {
    let before = '';
    for (let count = 0; ; count++) {
      const block = await source.take(BLOCK);
      if (block.length < BLOCK) throw new TarFault(count === 0 ? 'not_tar' : 'cut_off');
      if (isZero(block)) return await readEnd(source);
      const { name, size } = readHeader(block, before);
      if (count >= TAR_LIMITS.members) throw new TarFault('members_too_many');
      if (!order.admits(name)) throw new TarFault('member_order', name);
      const data = new MemberData(source, name, size);
      yield { name, size, data };
      await data.passOver();
      before = name;
    }
  } finally {
    await source.close();
  }
}

async function* bounded(bytes: Bytes): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const piece of bytes) {
    total += piece.length;
    if (total > TAR_LIMITS.file) throw new TarFault('too_large');
    yield piece;
  }
}

/** @throws TarFault unless it is, byte for byte, the header that this program writes for that name and size */
function readHeader(block: Buffer, before: string): { name: string; size: number } {
  const said = /^ *([0-7]{1,7})[ \0]*$/.exec(block.toString('latin1', 148, 156));
  if (!said || Number.parseInt(said[1] ?? '', 8) !== checksumOf(block)) {
    throw new TarFault(before === '' ? 'not_tar' : 'damaged', before);
  }
  if (block.toString('latin1', 156, 157) !== '0') throw new TarFault('member_kind');
  const name = block.toString('latin1', 0, 100).replace(/\0+$/, '');
  if (!isMemberName(name)) throw new TarFault('member_name');
  const digits = /^([0-7]{11})\0$/.exec(block.toString('latin1', 124, 136));
  const size = Number.parseInt(digits?.[1] ?? '', 8);
  if (!digits || !headerOf(name, size).equals(block)) throw new TarFault('header', name);
  if (size > TAR_LIMITS.member) throw new TarFault('member_too_large', name);
  return { name, size };
}

/** The second of two blocks of zeros, and nothing behind it. */
async function readEnd(source: ByteSource): Promise<void> {
  const block = await source.take(BLOCK);
  if (block.length < BLOCK) throw new TarFault('cut_off');
  if (!isZero(block) || !(await source.ended())) throw new TarFault('trailing_data');
}

class MemberData implements AsyncIterable<Buffer> {
  readonly #source: ByteSource;
  readonly #name: string;
  #left: number;
  #padding: number;

  constructor(source: ByteSource, name: string, size: number) {
    this.#source = source;
    this.#name = name;
    this.#left = size;
    this.#padding = paddingOf(size);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      const piece = await this.#source.some(this.#left);
      if (piece.length === 0) throw new TarFault('cut_off');
      this.#left -= piece.length;
      yield piece;
    }
  }

  async passOver(): Promise<void> {
    for await (const _ of this);
    const padding = await this.#source.take(this.#padding);
    if (padding.length < this.#padding) throw new TarFault('cut_off');
    if (!isZero(padding)) throw new TarFault('damaged', this.#name);
    this.#padding = 0;
  }
}
