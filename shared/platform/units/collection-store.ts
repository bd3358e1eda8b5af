// Store of collections: a page of items, one item, creating, changing and deleting. Statements are built once from the
// declaration of a collection (collection.ts).
import { instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Row, SqlValue, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, foreignCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import type { Collection, ColumnKind, Derived, Draft, Kept, Served, Shell, Stored, Tagged } from './collection.ts';

/** How a kind of member is stored: its columns, and how a member becomes columns and back. */
interface Codec {
  columns(member: string): string[];
  /** The expression that reads the member, where that is not its columns. */
  select?(member: string): string;
  read(row: Row, member: string): unknown;
  write(value: unknown): SqlValue[];
}

const plain: Codec = {
  columns: (member) => [member],
  read: (row, member) => row[member],
  write: (value) => [value as SqlValue],
};
const OWNER_PARTS = ['source', 'ref', 'component'] as const;

const CODECS: Record<ColumnKind, Codec> = {
  text: plain,
  integer: plain,
  nullable: { ...plain, read: (row, member) => row[member] ?? null, write: (value) => [(value ?? null) as SqlValue] },
  boolean: { ...plain, read: (row, member) => row[member] === 1, write: (value) => [value ? 1 : 0] },
  json: {
    ...plain,
    read: (row, member) => JSON.parse(String(row[member])) as unknown,
    write: (value) => [JSON.stringify(value)],
  },
  owner: {
    columns: (member) => OWNER_PARTS.map((part) => `${member}_${part}`),
    read: (row, member) =>
      row[`${member}_source`] === null
        ? null
        : Object.fromEntries(OWNER_PARTS.map((part) => [part, row[`${member}_${part}`]])),
    write: (value) => OWNER_PARTS.map((part) => (value as Record<string, SqlValue> | null)?.[part] ?? null),
  },
};

const codecOf = (kind: ColumnKind | Derived): Codec =>
  typeof kind === 'string'
    ? CODECS[kind]
    : {
        ...CODECS[kind.as ?? 'text'],
        columns: () => [],
        select: (member) => `${kind.sql} AS ${member}`,
        write: () => [],
      };

const BEFORE = { id: 'text' } as const;
const AFTER = {
  description: 'text',
  enabled: 'boolean',
  revision: 'integer',
  created_at: 'text',
  updated_at: 'text',
} as const satisfies Record<Exclude<keyof Kept, 'id'>, ColumnKind>;

interface Shape {
  members: [member: string, codec: Codec][];
  select: string;
  one: string;
  insert: string;
  update: string;
  remove: string;
}

const shapes = new WeakMap<object, Shape>();

function shapeOf<Item extends Stored>(collection: Collection<Item>): Shape {
  const known = shapes.get(collection);
  if (known) return known;
  const members = Object.entries(kindsOf(collection)).map(([member, kind]): [string, Codec] => [member, codecOf(kind)]);
  const columns = members.flatMap(([member, codec]) => codec.columns(member));
  const select = members.flatMap(([member, codec]) => codec.select?.(member) ?? codec.columns(member)).join(', ');
  const { table } = collection;
  const shape = {
    members,
    select,
    one: `SELECT ${select} FROM ${table} WHERE id = ?`,
    insert: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    update: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
  };
  shapes.set(collection, shape);
  return shape;
}

/** Column names for other statements whose rows `itemOf` reads. */
export const columnsOf = <Item extends Stored>(collection: Collection<Item>): string => shapeOf(collection).select;

/** A row with all of `columnsOf` as an item. */
export function itemOf<Item extends Stored>(collection: Collection<Item>, row: Row): Item {
  const { members } = shapeOf(collection);
  return Object.fromEntries(members.map(([member, codec]) => [member, codec.read(row, member)])) as unknown as Item;
}

function valuesOf<Item extends Stored>(collection: Collection<Item>, item: Item): SqlValue[] {
  return shapeOf(collection).members.flatMap(([member, codec]) => codec.write(item[member as keyof Item]));
}

export interface ItemQuery {
  /** Lookup → text of the query; undefined: no filter. */
  filters?: Readonly<Record<string, string | undefined>>;
  /** A part of one of the texts that `searchedOf` names, in any case; of several spellings one will do. */
  search?: string | readonly string[] | undefined;
  /** One of `sortsOf`, `-` before it for descending; anything else is the collection's own order. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | null | undefined;
}

/** Members that stand in columns of their own and are shown. */
const shownColumns = <Item extends Stored>(collection: Collection<Item>, kinds: readonly ColumnKind[]): string[] =>
  Object.entries(kindsOf(collection)).flatMap(([member, kind]) =>
    member !== 'id' && kinds.some((each) => each === kind) && !Object.hasOwn(collection.hidden ?? {}, member)
      ? [member]
      : [],
  );

/** Members that lists are sorted by. */
export const sortsOf = <Item extends Stored>(collection: Collection<Item>): string[] =>
  shownColumns(collection, ['text', 'integer', 'boolean']);

/** Members that a search looks into: texts that people know an item by, neither ids nor instants. */
export const searchedOf = <Item extends Stored>(collection: Collection<Item>): string[] =>
  shownColumns(collection, ['text', 'json']).filter((member) => !/_(?:at|id)$/.test(member));

/** A page in the collection's order, or the asked one. One statement. @throws Problem 400 for a cursor of another list. */
export async function listItems<Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  { filters = {}, search = '', sort = '', limit, cursor }: ItemQuery,
): Promise<Page<Item>> {
  const asked_first = sort.replace(/^-/, '');
  const sorted = sortsOf(collection).includes(asked_first);
  const descending = sorted && sort.startsWith('-');
  const order = [...new Set<string>([...(sorted ? [asked_first] : []), ...collection.order, 'id'])];
  const list = build<Row>(collection.table).select(build.raw(columnsOf(collection)));
  for (const column of order) list.orderBy(column, descending ? 'desc' : 'asc');
  const spellings = [search].flat().filter(Boolean);
  if (spellings.length > 0) {
    const places = searchedOf(collection).map((member) => `instr(lower(${member}), lower(?)) > 0`);
    const all = spellings.flatMap(() => places);
    list.whereRaw(
      `(${all.join(' OR ') || 'FALSE'})`,
      spellings.flatMap((spelling) => places.map(() => spelling)),
    );
  }
  for (const member of collection.lookups) {
    const asked = filters[member];
    if (asked !== undefined) list.where(member, sought(collection, member, asked));
  }
  // A cursor of an asked order names it: one of another order, with as many columns, would show a page of nothing known.
  const named = sorted ? [sort] : [];
  if (cursor) {
    const last = placeIn(cursor, named, order.length);
    list.whereRaw(`(${order.join(', ')}) ${descending ? '<' : '>'} (${order.map(() => '?').join(', ')})`, last);
  }
  const rows = await db.all<Row>(list.limit(limit + 1));
  return pageOf(
    rows,
    limit,
    (row) => [...named, ...order.map((column) => row[column]!)],
    (row) => itemOf(collection, row),
  );
}

/** @throws Problem 400 when the cursor was issued for another order. */
function placeIn(cursor: string, named: readonly string[], width: number): (string | number)[] {
  const values = decodeCursor(cursor, named.length + width);
  if (named.some((text, at) => values[at] !== text)) throw foreignCursor();
  return values.slice(named.length);
}

function kindsOf<Item extends Stored>({ columns }: Collection<Item>): Record<string, ColumnKind | Derived> {
  return { ...BEFORE, ...columns, ...('revision' in columns ? {} : AFTER) };
}

/** The kind of a member, also of members that every item has. */
export function kindOf<Item extends Stored>(collection: Collection<Item>, member: string): ColumnKind | Derived {
  return kindsOf(collection)[member] ?? 'text';
}

function sought<Item extends Stored>(
  collection: Collection<Item>,
  member: keyof Item & string,
  text: string,
): SqlValue {
  const kind = kindOf(collection, member);
  if (kind === 'boolean') return text === 'true' ? 1 : 0;
  if (kind === 'integer') return Number(text);
  return collection.spelling?.[member]?.(text) ?? text;
}

/** @throws Problem 404 */
export async function findItem<Item extends Stored>(
  db: Database,
  collection: Collection<Item>,
  id: string,
): Promise<Item> {
  const row = await db.one<Row>(shapeOf(collection).one, [id]);
  if (!row) throw notFound(`This ${collection.noun}`);
  return itemOf(collection, row);
}

/** An item without its hidden members. */
export function visible<Item extends Tagged>({ hidden = {} }: Served<Item>, item: Item): Item {
  const members = Object.entries(item).filter(([member]) => !Object.hasOwn(hidden, member));
  return Object.fromEntries(members) as unknown as Item;
}

/** The members that were sent, without undefined ones. */
const given = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));

const sealed = <Item extends Stored>(
  collection: Collection<Item>,
  draft: Draft,
  id: string,
  before: Item | null,
  shell: Shell,
): Draft => collection.seal?.(draft, id, before, shell) ?? draft;

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Members in which two items differ, in the order of answers, without revision and time. */
export function changedMembers<Item extends Stored>(collection: Collection<Item>, before: Item, after: Item): string[] {
  const members = [...Object.keys(collection.columns), 'description', 'enabled'] as (keyof Item & string)[];
  const changed = members.filter((member) => differs(before[member], after[member]));
  return [...new Set(changed.map((member) => collection.hidden?.[member] ?? member))];
}

/** @throws Problem 422 or 409 by the collection's rules; 409 `already_exists` at a unique member that is taken. */
export async function createItem<Item extends Stored>(
  tx: Transaction,
  shell: Shell,
  collection: Collection<Item>,
  draft: Draft,
): Promise<Item> {
  const now = instant(shell.clock.now());
  const own = { id: newId(collection.prefix, shell.entropy), revision: 1, created_at: now, updated_at: now };
  const named = sealed(collection, given(draft), own.id, null, shell);
  const wanted = { description: '', enabled: true, ...collection.defaults, ...named, ...own } as unknown as Item;
  const item = { ...(await collection.settle(tx, wanted, null, shell)), ...own };
  await tx.run(shapeOf(collection).insert, valuesOf(collection, item)).catch(taken(collection, item));
  await collection.saved?.(tx, item, null, shell);
  return inOrder(collection, item);
}

/**
 * Changes the members that were sent. Without a difference nothing is checked or written.
 * @throws Problem 404, 412; 409 for another value of an immutable member; else as createItem.
 */
export async function updateItem<Item extends Stored>(
  tx: Transaction,
  shell: Shell,
  collection: Collection<Item>,
  id: string,
  patch: Draft,
  if_match: Precondition,
): Promise<{ item: Item; before: Item; changed: string[] }> {
  const before = await findItem(tx, collection, id);
  requireRevision(if_match, before.revision);
  const unchanged = { item: before, before, changed: [] };
  const named = sealed(collection, given(patch), id, before, shell);
  refuseImmutable(collection, before, named);
  const wanted = { ...before, ...named };
  if (changedMembers(collection, before, wanted).length === 0) return unchanged;
  const settled = await collection.settle(tx, wanted, before, shell);
  const changed = changedMembers(collection, before, settled);
  if (changed.length === 0) return unchanged;
  const item = inOrder(collection, {
    ...settled,
    id,
    revision: before.revision + 1,
    created_at: before.created_at,
    updated_at: instant(shell.clock.now()),
  });
  await tx.run(shapeOf(collection).update, [...valuesOf(collection, item), id]).catch(taken(collection, item));
  await collection.saved?.(tx, item, before, shell);
  return { item, before, changed };
}

/** Writes an item that was settled already, in the transaction that wrote it first: under the same revision. */
export async function saveSettled<Item extends Stored>(
  tx: Transaction,
  collection: Collection<Item>,
  item: Item,
): Promise<void> {
  await tx.run(shapeOf(collection).update, [...valuesOf(collection, item), item.id]).catch(taken(collection, item));
}

/** @throws Problem 404, 412, and 409 while other rows need the item. */
export async function deleteItem<Item extends Stored>(
  tx: Transaction,
  shell: Shell,
  collection: Collection<Item>,
  id: string,
  if_match: Precondition,
): Promise<Item> {
  const item = await findItem(tx, collection, id);
  requireRevision(if_match, item.revision);
  await collection.deletable?.(tx, item);
  await tx.run(shapeOf(collection).remove, [id]);
  await collection.deleted?.(tx, item, shell);
  return item;
}

function inOrder<Item extends Stored>(collection: Collection<Item>, item: Item): Item {
  const { members } = shapeOf(collection);
  return Object.fromEntries(members.map(([member]) => [member, item[member as keyof Item]])) as unknown as Item;
}

function refuseImmutable<Item extends Stored>(collection: Collection<Item>, before: Item, named: Draft): void {
  const errors = collection.immutable
    .filter((member) => member in named && differs(named[member], before[member]))
    .map((member) => ({
      pointer: `/${member}`,
      detail: `Cannot change: create another ${collection.noun} and delete this one.`,
    }));
  if (errors.length > 0) throw new Problem('state_conflict', errors[0]!.detail, { errors });
}

/** Turns a violated unique constraint into a problem at its member; other errors are thrown on. */
function taken<Item extends Stored>(
  collection: Collection<Item>,
  item: Item,
): (error: Error & { code?: string }) => never {
  return (error) => {
    const [, column] = /UNIQUE constraint failed: \w+\.(\w+)/.exec(error.message) ?? [];
    if (error.code !== 'SQLITE_CONSTRAINT' || column === undefined) throw error;
    if (collection.taken) throw collection.taken(item);
    const detail = `Another ${collection.noun} has this ${column.replaceAll('_', ' ')} already.`;
    throw new Problem('already_exists', detail, { errors: [{ pointer: `/${column}`, detail }] });
  };
}
