// Writes a tar archive, the same bytes for the same members, whoever writes it and when.
import type { Bytes } from '../byte-source.ts';
import { TAR_LIMITS } from './fault.ts';
import { BLOCK, headerOf, isMemberName, paddingOf } from './header.ts';
import { NameOrder } from './order.ts';

export interface MemberToWrite {
  name: string;
  /** Bytes of the data: the header says it before them. */
  size: number;
  data: Bytes;
}

type Members = AsyncIterable<MemberToWrite> | Iterable<MemberToWrite>;

/**
 * @param apart the name that may stand first or last; all others come in their order
 * @throws RangeError what the reader would refuse: it is the caller who is wrong, so nothing half is left to be kept
 */
export async function* writeTar(members: Members, apart?: string): AsyncGenerator<Buffer> {
  const order = new NameOrder(apart);
  let count = 0;
  let total = 2 * BLOCK;
  for await (const { name, size, data } of members) {
    if (!isMemberName(name)) throw new RangeError(`No member may be named ${name}.`);
    if (!order.admits(name)) throw new RangeError(`The member ${name} comes twice or out of order.`);
    total += BLOCK + size + paddingOf(size);
    count += 1;
    if (size > TAR_LIMITS.member) throw new RangeError(`The member ${name} has more than ${TAR_LIMITS.member} bytes.`);
    if (count > TAR_LIMITS.members) throw new RangeError(`An archive has at most ${TAR_LIMITS.members} members.`);
    if (total > TAR_LIMITS.file) throw new RangeError(`An archive has at most ${TAR_LIMITS.file} bytes.`);
    yield headerOf(name, size);
    yield* exactly(name, size, data);
    if (paddingOf(size) > 0) yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * BLOCK);
}

async function* exactly(name: string, size: number, data: Bytes): AsyncGenerator<Buffer> {
  let left = size;
  for await (const piece of data) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new RangeError(`The member ${name} does not have the size that was said.`);
}
