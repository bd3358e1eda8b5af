// A collection as CSV: a column for each member that is shown, a row for each item, whatever a page of its list holds.
import { type Cell, csv } from '../../ground/csv.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Collection, Stored } from './collection.ts';
import { type ItemQuery, listItems, visible } from './collection-store.ts';

/** More than a person reads; a program pages through the API. */
export const CSV_ROWS_MOST = 10_000;

export async function collectionCsv<Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  query: Omit<ItemQuery, 'limit' | 'cursor'>,
): Promise<string> {
  const { items } = await listItems(db, collection, { ...query, limit: CSV_ROWS_MOST });
  const head = csvColumns(collection);
  const rows = items.map((item) => head.map((member) => cellOf(item[member as keyof Item])));
  return csv([head, ...rows]);
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
