// Which addresses missing names get: from the first one on, in order, within its network, past everything that is
// taken. Pure. It looks at blocks of 256 addresses, so that only those have to be read which it comes through.
import { addressOf, type Cidr, formatAddress } from '../../ground/addresses/address.ts';

export const BLOCK = 256n;
const SIZE = Number(BLOCK);

/** What an address is: free, used by a record, or reserved. A block holds one of these for each of its addresses. */
export const FREE = 0;
export const USED = 1;
export const RESERVED = 2;
export type Block = Uint8Array;
/**
 * A block without a free address, by records or reservations. It is skipped as a whole; its addresses are not
 * distinguished.
 */
export const FULL_BLOCK: Block = new Uint8Array(SIZE).fill(USED);

/** Blocks in order, without a gap, from the block of the first address on. */
export interface Seen {
  blocks: readonly Block[];
}

export type PassedBy = 'record' | 'reservation' | 'network';

export interface Given {
  address: string;
  /** Addresses that were passed over right before this one: how many, and the first of them. */
  passed: { count: number; first: { address: string; by: PassedBy }[] };
}

export interface Allocation {
  /** As many as were wanted, or fewer: then it has failed, or has not seen enough yet. */
  given: Given[];
  /** Free addresses from the first one on, as far as was seen, the given ones among them. */
  free: number;
  /** Whether all of the network was seen from the first address on, so that `free` is all there is. */
  whole: boolean;
  /** The free address that would come next; null when none was seen. */
  next: string | null;
}

/** First address of an address's block. */
export const blockOf = (value: bigint): bigint => value - (value % BLOCK);

/** Passed addresses that are named. */
const NAMED = 3;

/**
 * The network address is never given, nor IPv4's broadcast address; IPv6's network address is the subnet-router anycast
 * address (RFC 4291, 2.6.1). That holds on a /127 too, although RFC 6164 would allow it there.
 */
function forNobody({ family, first, last }: Cidr, value: bigint): boolean {
  return value === first || (family === 4 && value === last);
}

/** Gives `wanted` addresses as far as the seen blocks reach. */
export function allocate(start: Cidr, wanted: number, { blocks }: Seen): Allocation {
  const base = blockOf(start.address.value);
  const given: Given[] = [];
  let passed: Given['passed'] = { count: 0, first: [] };
  let free = 0;
  let next: string | null = null;
  const pass = (value: bigint, by: PassedBy, count: number) => {
    for (let more = 0; more < count && passed.first.length < NAMED && given.length < wanted; more++)
      passed.first.push({ address: formatAddress(start.family, value + BigInt(more)), by });
    passed.count += count;
  };
  walk(start, blocks, (value, kind, count) => {
    if (kind !== FREE) return pass(value, BY[kind]!, count);
    if (forNobody(start, value)) return pass(value, 'network', 1);
    free += 1;
    if (given.length < wanted) {
      given.push({ address: formatAddress(start.family, value), passed });
      passed = { count: 0, first: [] };
    } else next ??= formatAddress(start.family, value);
  });
  const end = base + BigInt(blocks.length) * BLOCK;
  return { given, free, whole: end > start.last, next };
}

const BY: Readonly<Record<number, PassedBy>> = { [USED]: 'record', [RESERVED]: 'reservation' };

/** Every address from the first one on, as far as was seen and the network goes; `count` of a kind in a row. */
function walk(
  { address, last }: Cidr,
  blocks: readonly Block[],
  see: (value: bigint, kind: number, count: number) => void,
): void {
  const base = blockOf(address.value);
  for (const [at, block] of blocks.entries()) {
    const first = base + BigInt(at) * BLOCK;
    const from = at === 0 ? Number(address.value - first) : 0;
    const left = last - first + 1n;
    const to = left < BLOCK ? Number(left) : SIZE;
    if (block === FULL_BLOCK) see(first + BigInt(from), USED, to - from);
    else for (let offset = from; offset < to; offset++) see(first + BigInt(offset), block[offset]!, 1);
  }
}

/** Addresses without names that a deployment needs in one piece. */
export interface NodeRange {
  first: string;
  last: string;
}

/**
 * The first run of `count` free addresses after `after`, which none of the closed spans touches; null when none was
 * seen. A span is first and last value.
 */
export function freeRun(
  start: Cidr,
  { blocks }: Seen,
  count: number,
  after: bigint,
  closed: readonly (readonly [bigint, bigint])[],
): NodeRange | null {
  let begin: bigint | null = null;
  let found: NodeRange | null = null;
  walk(start, blocks, (value, kind) => {
    if (found || value <= after) return;
    const taken = kind !== FREE || forNobody(start, value) || closed.some(([from, to]) => value >= from && value <= to);
    if (taken) begin = null;
    else begin ??= value;
    if (begin !== null && value - begin + 1n === BigInt(count)) {
      found = { first: addressOf(start.family, begin)!.text, last: addressOf(start.family, value)!.text };
    }
  });
  return found;
}
