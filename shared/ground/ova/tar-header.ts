// One 512-byte header of a tar archive: v7, ustar, GNU. (POSIX.1-1988 ustar; GNU tar manual, "Basic Tar Format".)
import { checksumOf, isZero } from '../tar/header.ts';
import { OvaFault } from './fault.ts';

export interface TarHeader {
  /** Bytes of the name up to its NUL; prefix and name of ustar joined. */
  name: Buffer;
  /** The raw size field, which a pax record may override. */
  size: () => number;
  /** '0' for a file, also where older formats have NUL. */
  type: string;
}

/** Does the block carry the magic of ustar or GNU tar, or at least the checksum of a v7 header? */
export const looksLikeHeader = (block: Buffer): boolean =>
  block.toString('latin1', 257, 262) === 'ustar' || checksumHolds(block);

/**
 * @param after name of the member before, for the refusal
 * @throws OvaFault header_checksum, name_nul
 */
export function readHeader(block: Buffer, after: string): TarHeader {
  if (!checksumHolds(block)) throw new OvaFault('header_checksum', after);
  const type = block.toString('latin1', 156, 157).replace('\0', '0');
  const name = upToNul(block.subarray(0, 100));
  // GNU tar keeps times where ustar has the prefix.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? upToNul(block.subarray(345, 500)) : Buffer.alloc(0);
  const whole = prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name;
  return { name: Buffer.from(whole), type, size: () => readSize(block.subarray(124, 136), whole.toString('latin1')) };
}

function checksumHolds(block: Buffer): boolean {
  const said = /^ *([0-7]{1,7})[ \0]*$/.exec(block.toString('latin1', 148, 156));
  return said !== null && Number.parseInt(said[1] ?? '', 8) === checksumOf(block);
}

function upToNul(field: Buffer): Buffer {
  const end = field.indexOf(0);
  if (end < 0) return field;
  if (!isZero(field.subarray(end))) throw new OvaFault('name_nul', field.toString('latin1', 0, end));
  return field.subarray(0, end);
}

/** Octal digits, or base-256 in two's complement when the first bit is set. */
function readSize(field: Buffer, name: string): number {
  const first = field[0] ?? 0;
  if ((first & 0x80) === 0) {
    const said = /^ *([0-7]{1,12})[ \0]*$/.exec(field.toString('latin1'));
    if (!said) throw new OvaFault('header_number', name);
    return Number.parseInt(said[1] ?? '', 8);
  }
  if ((first & 0x40) !== 0) throw new OvaFault('size_negative', name);
  const value = BigInt(`0x${field.toString('hex')}`) & ~(0x80n << 88n);
  return wholeSize(value, name);
}

/** @throws OvaFault size_huge for a number that is not exact */
export function wholeSize(value: bigint, name: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new OvaFault('size_huge', name);
  return Number(value);
}
