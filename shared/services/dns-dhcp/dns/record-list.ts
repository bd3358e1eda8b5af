// Lists of records: filters, and two orders with an index, so that a page costs the same however many records there
// are.

import { canonicalName } from '../../../ground/addresses/zone-name.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database } from '../../../ground/store/database.ts';
import { allPages, decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
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

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

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
    // Names are saved in lower case; texts of TXT and CAA keep their capitals, and are ASCII, which LIKE takes in any case. All of it
    // stands in the index of a zone: only what is found is looked up. What is in no address is not sought in addresses, whose types,
    // A and AAAA, are the first.
    const named = /[^0-9a-f.:]/.test(sought) ? "type > 'AAAA' AND " : '';
    list.whereRaw(`(instr(fqdn, ?) > 0 OR (${named}value LIKE ? ESCAPE '\\'))`, [sought, containing(sought)]);
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

/** All that a list shows, page after page. */
export const allRecords = (db: Database, query: Omit<RecordQuery, 'limit' | 'cursor'>): AsyncIterable<DnsRecord[]> =>
  allPages((page) => listRecords(db, { ...query, ...page }));
