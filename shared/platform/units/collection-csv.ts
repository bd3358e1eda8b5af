// A collection as CSV: a column for each member that is shown, a row for each item, whatever a page of its list holds.
import { type Cell, csvParts } from '../../ground/csv.ts';
import type { Database } from '../../ground/store/database.ts';
import { allPages, PAGE_OF_FILE, PAGE_OF_SORTED } from '../../ground/store/pagination.ts';
import type { Collection, ImportNames, Stored } from './collection.ts';
import { type ItemQuery, listItems, visible } from './collection-store.ts';

/** Rows that a file reads at once. */
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
export async function* collectionParts<Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  pages: AsyncIterable<Item[]>,
): AsyncGenerator<string> {
  const members = csvColumns(collection);
  const { names = {} } = collection.imports ?? {};
  const beside = Object.entries(names).filter(([column]) => !members.includes(column));
  const named: { of: string; ids: Map<string, string> }[] = [];
  for (const [, column] of beside) named.push({ of: column.of, ids: await idNames(db, column) });
  yield* csvParts([...members, ...beside.map(([column]) => column)], pages, (item) => [
    ...members.map((member) => cellOf(item[member as keyof Item])),
    ...named.map(({ of, ids }) => ids.get(String(item[of as keyof Item] ?? '')) ?? null),
  ]);
}

/** Id → name, of all that a column of names stands for. */
export async function idNames(db: Database, { collection, member }: ImportNames[string]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const items of allItems(db, collection(), {})) {
    for (const item of items) names.set(item.id, String(item[member]));
  }
  return names;
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
