// The addresses of a block as ranges of texts: addresses are stored as canonical texts, and the database finds a range
// of texts as fast as a range of numbers, as long as it has the block and little else. Pure.
import { type Family, formatAddress } from '../../ground/addresses/address.ts';
import type { TextRange } from '../../services/dns-dhcp/taken-addresses.ts';
import { BLOCK, type Block, USED } from './allocation.ts';

const SIZE = Number(BLOCK);

/** A block is ranges of texts, or has to be looked up address by address, in order. */
export type BlockTexts = { ranges: TextRange[] } | { texts: string[] };

/**
 * `first` is the first address of the block. In IPv4, nothing else begins with the three octets. Hexadecimal digits
 * sort like numbers among texts of one length, so that in IPv6 ranges hold the block when its last group has all of its
 * four digits; shorter groups are scattered among longer ones. A colon sorts between the digits and the letters: two
 * ranges leave out the texts that go on with another group.
 */
export function blockTexts(family: Family, first: bigint): BlockTexts {
  const head = headOf(family, first);
  if (family === 4) return { ranges: [{ head, from: head, to: `${head}:`, length: 0 }] };
  if (lastGroup(first) < 0x1000) return { texts: shortTexts(first) };
  const length = head.length + 2;
  return {
    ranges: [
      { head, from: `${head}00`, to: `${head}:`, length },
      { head, from: `${head}a0`, to: `${head}g`, length },
    ],
  };
}

/**
 * How the texts of the block that begins with `first` begin; the database counts the taken addresses of a block by it.
 */
export function headOf(family: Family, first: bigint): string {
  // A group of zero may be shortened away, and groups before it be written in another way for that.
  const text = formatAddress(family, family === 6 && lastGroup(first) === 0 ? first + 1n : first);
  const group = text.slice(text.search(/\w+$/));
  return text.slice(0, -(family === 4 ? group.length : Math.min(group.length, 2)));
}

const lastGroup = (value: bigint): number => Number(value & 0xffffn);

function shortTexts(first: bigint): string[] {
  const group = lastGroup(first);
  const head = headOf(6, first).replace(/(?<=:)\w$/, '');
  const texts = Array.from({ length: SIZE }, (_, offset) => head + (group + offset).toString(16));
  return group === 0 ? texts.with(0, formatAddress(6, first)) : texts;
}

/** What the database found of a block: tails of texts in a range, or offsets of looked-up addresses, with commas. */
export interface Found {
  kind: number;
  tails: string;
  radix: number;
}

export function blockFrom(found: readonly Found[]): Block {
  const block = new Uint8Array(SIZE);
  for (const { kind, tails, radix } of found) {
    if (tails === '') continue;
    for (const tail of tails.split(',')) {
      const offset = Number.parseInt(tail, radix);
      // A record counts as used, also where somebody reserved its address.
      if (offset < SIZE && block[offset] !== USED) block[offset] = kind;
    }
  }
  return block;
}
