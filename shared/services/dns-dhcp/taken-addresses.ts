// Addresses that records and reservations take, looked up by their texts. Disabled rows count, since they may be
// enabled again.
import type { Database } from '../../ground/store/database.ts';

// ?1 ranges and ?2 lists of texts, each by its index; ?3 the record type. The ranges are materialized, or their JSON
// would be read again for each row; a length is only compared where there is one.
const IN_RANGE = 'FROM dns_record WHERE value >= low AND value < high AND type = ?3';
const READ = `WITH ask(at, low, high, tail, length) AS MATERIALIZED (SELECT key, value ->> 'from', value ->> 'to',
      length(value ->> 'head') + 1, value ->> 'length' FROM json_each(?1))
  SELECT 'range' AS asked, at, 'record' AS by, (SELECT group_concat(substr(value, tail)) ${IN_RANGE}) AS tails
    FROM ask WHERE length = 0
  UNION ALL SELECT 'range', at, 'record',
    (SELECT group_concat(substr(value, tail)) ${IN_RANGE} AND length(value) = length) FROM ask WHERE length > 0
  UNION ALL SELECT 'range', at, 'reservation',
    (SELECT group_concat(substr(ip_address, tail)) FROM dhcp_reservation WHERE ip_address >= low AND ip_address < high)
    FROM ask WHERE ?3 = 'A'
  UNION ALL SELECT 'list', list.key, 'record',
    (SELECT group_concat(text.key) FROM json_each(list.value) text
      WHERE EXISTS (SELECT 1 FROM dns_record WHERE dns_record.value = text.value AND type = ?3))
    FROM json_each(?2) list`;

/** Texts from `from` to before `to`, of the length `length` (0: any). Answers have what follows `head`. */
export interface TextRange {
  from: string;
  to: string;
  head: string;
  length: number;
}

export interface TakenTails {
  asked: 'range' | 'list';
  /** Index among the ranges, or the lists. */
  at: number;
  by: 'record' | 'reservation';
  /** Of a range: what follows its head; of a list: indexes in it. Separated by commas; null: none. */
  tails: string | null;
}

/** One statement. */
export const takenAddresses = (
  db: Database,
  { ranges, lists, type }: { ranges: readonly TextRange[]; lists: readonly (readonly string[])[]; type: 'A' | 'AAAA' },
): Promise<TakenTails[]> => db.all<TakenTails>(READ, [JSON.stringify(ranges), JSON.stringify(lists), type]);

// The heads come first in the join: each is one lookup.
const COUNT = `SELECT head.key AS at, taken FROM json_each(?1) head
  CROSS JOIN address_block ON address_block.type = ?2 AND address_block.block = head.value`;

/** Index among the heads of blocks → number of taken addresses in the block. One statement. */
export async function countTaken(
  db: Database,
  heads: readonly string[],
  type: 'A' | 'AAAA',
): Promise<Map<number, number>> {
  const rows = await db.all<{ at: number; taken: number }>(COUNT, [JSON.stringify(heads), type]);
  return new Map(rows.map(({ at, taken }) => [at, taken]));
}
