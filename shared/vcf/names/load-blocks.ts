// Reads the taken addresses of a network, block after block from the first address on, until enough are free: no more
// than needed, however many records there are. In a dense network, full blocks are recognized by their count.
import type { Cidr, Family } from '../../ground/addresses/address.ts';
import type { Database } from '../../ground/store/database.ts';
import { countTaken, takenAddresses } from '../../services/dns-dhcp/taken-addresses.ts';
import {
  type Allocation,
  allocate,
  BLOCK,
  type Block,
  blockOf,
  FULL_BLOCK,
  RESERVED,
  type Seen,
  USED,
} from './allocation.ts';
import { blockFrom, blockTexts, type Found, headOf } from './block-texts.ts';
import { typeOf } from './plan.ts';

/** Blocks of the first statement: a /22 is read at once, so that its free addresses are known exactly. */
const FIRST = 4;
/** Blocks whose free addresses are counted at once. */
const COUNTED = 256;

/**
 * Allocates `wanted` addresses and answers the blocks that were read. One statement where the first blocks have enough;
 * in a dense network one for each 256 blocks that are skipped, and one for blocks with free addresses.
 */
export async function allocateFrom(
  db: Database,
  start: Cidr,
  wanted: number,
): Promise<{ allocation: Allocation; seen: Seen }> {
  const base = blockOf(start.address.value);
  const whole = (start.last - base) / BLOCK + 1n;
  const left = (seen: number, most: number) => {
    const count = whole - BigInt(seen);
    return count < most ? Number(count) : most;
  };
  const firsts = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => base + BigInt(from + at) * BLOCK);
  const blocks = await loadBlocks(db, start.family, firsts(0, left(0, FIRST)));
  for (;;) {
    const allocation = allocate(start, wanted, { blocks });
    if (allocation.given.length >= wanted || allocation.whole) return { allocation, seen: { blocks } };
    const next = firsts(blocks.length, left(blocks.length, COUNTED));
    blocks.push(...(await loadCounted(db, start.family, next, wanted - allocation.given.length)));
  }
}

/**
 * The blocks from the first on that have enough free addresses, and a few more: nodes need some in one piece. Only full
 * ones are taken at their count's word.
 */
async function loadCounted(db: Database, family: Family, firsts: readonly bigint[], wanted: number): Promise<Block[]> {
  const heads = firsts.map((first) => headOf(family, first));
  const taken = await countTaken(db, heads, typeOf({ family }));
  const free = (at: number) => Number(BLOCK) - (taken.get(at) ?? 0);
  let end = 0;
  for (let found = 0; end < firsts.length && found < wanted; end++) found += free(end);
  const passed = firsts.slice(0, end + FIRST);
  const open = passed.filter((_, at) => free(at) !== 0);
  const loaded = (await loadBlocks(db, family, open)).values();
  return passed.map((_, at) => (free(at) === 0 ? FULL_BLOCK : loaded.next().value!));
}

async function loadBlocks(db: Database, family: Family, firsts: readonly bigint[]): Promise<Block[]> {
  if (firsts.length === 0) return [];
  const asked = firsts.map((first) => blockTexts(family, first));
  const ranges = asked.flatMap((texts, at) => ('ranges' in texts ? texts.ranges.map((range) => ({ at, range })) : []));
  const lists = asked.flatMap((texts, at) => ('texts' in texts ? [{ at, texts: texts.texts }] : []));
  const rows = await takenAddresses(db, {
    ranges: ranges.map(({ range }) => range),
    lists: lists.map(({ texts }) => texts),
    type: typeOf({ family }),
  });
  const found = asked.map((): Found[] => []);
  for (const { asked: way, at, by, tails } of rows) {
    const range = way === 'range';
    found[(range ? ranges : lists)[at]!.at]!.push({
      kind: by === 'record' ? USED : RESERVED,
      tails: tails ?? '',
      radix: range && family === 6 ? 16 : 10,
    });
  }
  return found.map(blockFrom);
}
