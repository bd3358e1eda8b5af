// Reads what is taken of a network, block after block from the first address on, until enough is free: as little as that
// needs, however many records there are. Where a network is dense, blocks that are full are known by their count.
import type { Cidr, Family } from '../../ground/addresses/address.ts';
import type { Database } from '../../ground/store/database.ts';
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

// ?1 ranges and ?2 lists of texts, by their place among those asked; ?3 the record type. Disabled records count: they may
// come back. What is asked is materialized, or its JSON would be read again for each row; a length is only looked at where
// there is one.
const IN_RANGE = 'FROM dns_record WHERE value >= low AND value < high AND type = ?3';
const READ = `WITH ask(at, low, high, tail, length) AS MATERIALIZED (SELECT key, value ->> 'from', value ->> 'to',
      length(value ->> 'head') + 1, value ->> 'length' FROM json_each(?1))
  SELECT 'range' AS asked, at, ${USED} AS kind, (SELECT group_concat(substr(value, tail)) ${IN_RANGE}) AS tails
    FROM ask WHERE length = 0
  UNION ALL SELECT 'range', at, ${USED},
    (SELECT group_concat(substr(value, tail)) ${IN_RANGE} AND length(value) = length) FROM ask WHERE length > 0
  UNION ALL SELECT 'range', at, ${RESERVED},
    (SELECT group_concat(substr(ip_address, tail)) FROM dhcp_reservation WHERE ip_address >= low AND ip_address < high)
    FROM ask WHERE ?3 = 'A'
  UNION ALL SELECT 'list', list.key, ${USED},
    (SELECT group_concat(text.key) FROM json_each(list.value) text
      WHERE EXISTS (SELECT 1 FROM dns_record WHERE dns_record.value = text.value AND type = ?3))
    FROM json_each(?2) list`;

interface Row {
  asked: 'range' | 'list';
  at: number;
  kind: number;
  tails: string | null;
}

/** Heads of blocks by their place → addresses that records and reservations take. The heads lead: each is one lookup. */
const COUNT = `SELECT head.key AS at, taken FROM json_each(?1) head
  CROSS JOIN address_block ON address_block.type = ?2 AND address_block.block = head.value`;

/** Blocks of the first statement: a /22 is read at once, so that what is free in it is known exactly. */
const FIRST = 4;
/** Blocks whose free addresses are counted at once. */
const COUNTED = 256;

/**
 * Allocates `wanted` addresses and answers what was seen of the network. One statement where the first blocks have
 * enough; where the network is dense one for each 256 blocks that are passed, and one for those that have some.
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
  const heads = JSON.stringify(firsts.map((first) => headOf(family, first)));
  const rows = await db.all<{ at: number; taken: number }>(COUNT, [heads, typeOf({ family })]);
  const taken = new Map(rows.map(({ at, taken: count }) => [at, count]));
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
  const rows = await db.all<Row>(READ, [
    JSON.stringify(ranges.map(({ range }) => range)),
    JSON.stringify(lists.map(({ texts }) => texts)),
    typeOf({ family }),
  ]);
  const found = asked.map((): Found[] => []);
  for (const { asked: way, at, kind, tails } of rows) {
    const range = way === 'range';
    found[(range ? ranges : lists)[at]!.at]!.push({
      kind,
      tails: tails ?? '',
      radix: range && family === 6 ? 16 : 10,
    });
  }
  return found.map(blockFrom);
}
