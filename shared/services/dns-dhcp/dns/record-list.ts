// Lists of records: filters, and two orders with an index, so that a page costs the same however many records there
// are.

import { canonicalName } from '../../../ground/addresses/zone-name.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import type { DnsRecord } from '../schemas.ts';
import { recordType } from './record-data.ts';
import { RECORD_COLUMNS, type RecordRow, recordView } from './record-store.ts';

/** Sort key → the columns of its index, which give every record its place in the order. */
const ORDERS = {
  fqdn: ['fqdn', 'type', 'value'],
  value: ['value', 'fqdn', 'type'],
} as const;
export const RECORD_SORTS = ['fqdn', '-fqdn', 'value', '-value'] as const;
export type RecordSort = (typeof RECORD_SORTS)[number];

export interface RecordQuery {
  /** Exactly this name, in any spelling. */
  fqdn?: string | undefined;
  /** Name of a zone. */
  zone?: string | undefined;
  zone_id?: string | undefined;
  type?: string | undefined;
  /** Exactly this canonical value. */
  value?: string | undefined;
  /** Part of a name or value. */
  search?: string | undefined;
  sort?: RecordSort | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** The statement of a page with one row more than it shows. @throws Problem 400 for a cursor of another list. */
export function recordListStatement(query: RecordQuery) {
  const sort = query.sort ?? 'fqdn';
  const descending = sort.startsWith('-');
  const order = ORDERS[sort.replace('-', '') as keyof typeof ORDERS];
  const list = build<RecordRow>('dns_record').select(build.raw(RECORD_COLUMNS));
  for (const column of order) list.orderBy(column, descending ? 'desc' : 'asc');
  if (query.fqdn !== undefined) list.where('fqdn', canonicalName(query.fqdn));
  if (query.zone !== undefined) {
    list.whereRaw('zone_id = (SELECT id FROM dns_zone WHERE name = ?)', [canonicalName(query.zone)]);
  }
  if (query.zone_id !== undefined) list.where('zone_id', query.zone_id);
  if (query.type !== undefined) list.where('type', recordType(query.type) ?? '');
  if (query.value !== undefined) list.where('value', query.value);
  if (query.search) {
    const sought = query.search.trim().toLowerCase();
    list.whereRaw('(instr(fqdn, ?) > 0 OR instr(lower(value), ?) > 0)', [sought, sought]);
  }
  if (query.cursor) {
    const last = decodeCursor(query.cursor, order.length);
    list.whereRaw(`(${order.join(', ')}) ${descending ? '<' : '>'} (?, ?, ?)`, last);
  }
  return { list: list.limit(query.limit + 1), order };
}

export async function listRecords(db: Database, query: RecordQuery): Promise<Page<DnsRecord>> {
  const { list, order } = recordListStatement(query);
  const rows = await db.all<RecordRow>(list);
  return pageOf(rows, query.limit, (row) => order.map((column) => row[column]), recordView);
}

/** Rows that an export reads at once: few enough to let other requests in between. */
const CHUNK = 1000;

/** All records of a zone by name, chunk after chunk. */
export async function* recordsOfZone(db: Database, zone_id: string): AsyncGenerator<DnsRecord[]> {
  let cursor: string | null | undefined;
  do {
    const page: Page<DnsRecord> = await listRecords(db, { zone_id, limit: CHUNK, cursor: cursor ?? undefined });
    yield page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
