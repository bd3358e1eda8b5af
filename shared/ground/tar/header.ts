// The 512-byte header of a member as this program writes it, always the same for the same name and size.
// (POSIX.1-1988 ustar.)

export const BLOCK = 512;

/** Lower case only, in the plain form: no two of them are one name to any file system, and none leads anywhere else. */
const NAME = /^[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/;
const NAME_MOST = 100;

export const isZero = (block: Buffer): boolean => block.every((byte) => byte === 0);

export const isMemberName = (name: string): boolean => name.length <= NAME_MOST && NAME.test(name);

/** The sum of all bytes, with blanks where the checksum itself stands. */
export function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/** A plain file, mode 0600, of nobody in particular, from the beginning of time. */
export function headerOf(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 'latin1');
  block.write('0000600\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('00000000000\0', 136, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Bytes of zeros behind the data of a member. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;
