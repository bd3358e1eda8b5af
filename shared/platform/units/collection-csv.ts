// A collection as CSV: a column for each member that is shown, a row for each item, whatever a page of its list holds.
import { type Cell, csv } from '../../ground/csv.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Collection, Imports, Stored } from './collection.ts';
import { type ItemQuery, listItems, visible } from './collection-store.ts';

/** More than a person reads; a program pages through the API. */
export const CSV_ROWS_MOST = 10_000;

export async function collectionCsv<Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  query: Omit<ItemQuery, 'limit' | 'cursor'>,
): Promise<string> {
  const { items } = await listItems(db, collection, { ...query, limit: CSV_ROWS_MOST });
  const members = csvColumns(collection);
  const { names = {} } = collection.imports ?? {};
  const beside = Object.entries(names).filter(([column]) => !members.includes(column));
  const named = await Promise.all(
    beside.map(async ([column, { of }]) => ({ of, ids: await idNames(db, names[column]!) })),
  );
  const rows = items.map((item) => [
    ...members.map((member) => cellOf(item[member as keyof Item])),
    ...named.map(({ of, ids }) => ids.get(String(item[of as keyof Item] ?? '')) ?? null),
  ]);
  return csv([[...members, ...beside.map(([column]) => column)], ...rows]);
}

/** Id → name, of all that a column of names stands for. */
export async function idNames(
  db: Database,
  { collection, member }: NonNullable<Imports['names']>[string],
): Promise<Map<string, string>> {
  const { items } = await listItems(db, collection(), { limit: CSV_ROWS_MOST });
  return new Map(items.map((item) => [item.id, String(item[member])]));
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

/**
 * Lists as their items, divided by spaces, unless an item would not be read back so; such lists, and what has parts, as JSON.
 */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' && /^[^\s[{][^\s]*$/.test(each)))
    return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}
