// A collection as CSV: a column for each member that is shown, a row for each item, whatever a page of its list holds.
import { type Cell, csvParts } from '../../ground/csv.ts';
import type { Database } from '../../ground/store/database.ts';
import { allPages, PAGE_OF_FILE } from '../../ground/store/pagination.ts';
import type { Collection, Stored } from './collection.ts';
import { type ItemQuery, listItems, visible } from './collection-store.ts';

/** Rows that are read at once where each reading goes through the whole table, on a thread. */
const PAGE_OF_SORTED = 5_000;

/** Rows that a file reads at once: an order without an index is made anew for each page. */
export const filePage = <Item extends Stored>({ order }: Collection<Item>, sort: string): number =>
  sort === '' || sort.replace(/^-/, '') === order[0] ? PAGE_OF_FILE : PAGE_OF_SORTED;

/** All items that a list shows, page after page. */
export const allItems = <Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  query: Omit<ItemQuery, 'limit' | 'cursor'>,
): AsyncIterable<Item[]> =>
  allPages((page) => listItems(db, collection, { ...query, ...page }), filePage(collection, query.sort ?? ''));

/** The file, part by part. */
export function collectionParts<Item extends Stored>(
  collection: Collection<Item>,
  pages: AsyncIterable<Item[]>,
): AsyncIterable<string> {
  const head = csvColumns(collection);
  return csvParts(head, pages, (item) => head.map((member) => cellOf(item[member as keyof Item])));
}

/** Members in the order of answers. */
export function csvColumns<Item extends Stored>(collection: Collection<Item>): string[] {
  const members = [
    'id',
    ...Object.keys(collection.columns),
    'description',
    'enabled',
    'revision',
    'created_at',
    'updated_at',
  ];
  const all = 'revision' in collection.columns ? ['id', ...Object.keys(collection.columns)] : members;
  return Object.keys(visible(collection, Object.fromEntries(all.map((member) => [member, null])) as unknown as Item));
}

/** Lists as their items, divided by spaces; what has parts as JSON. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}
