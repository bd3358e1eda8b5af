// The declaration of a collection (scopes, sources, zones, vaults): schemas, rules, words, and the columns of its
// table. Store and REST operations are made from it; a collection that stores its items in another way declares the
// verbs instead.
import type { GenericSchema, ObjectEntries } from 'valibot';
import type { Clock, Entropy } from '../../ground/clock.ts';
import type { ListWords } from '../../ground/list-words.ts';
import type { PageName } from '../../ground/page-paths.ts';
import type { Problem } from '../../ground/problems.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Resource } from '../../kernel/access/scopes.ts';
import type { MutationContext, ReadContext } from '../../kernel/operation/operation.ts';

export interface Shell {
  clock: Clock;
  entropy: Entropy;
  /** For collections with sealed texts. */
  keys?: Keys;
  /** Who saves, for values that not everybody may choose. */
  actor?: Actor;
}

/** Members as sent, without those left out. */
export type Draft = Readonly<Record<string, unknown>>;

export interface Tagged {
  id: string;
  revision: number;
}

/** Members that every table has. */
export interface Stored extends Tagged {
  created_at: string;
  updated_at: string;
}

/** Members of a unit's items: the last columns of its table, unless the declaration names all columns. */
export interface Kept extends Stored {
  description: string;
  enabled: boolean;
}

/** How a member is stored: SQLite has no booleans and no lists; an owner or null takes three columns. */
export type ColumnKind = 'text' | 'integer' | 'boolean' | 'json' | 'nullable' | 'owner';

/** A value that is read and never written: `(SELECT count(*) …)`. */
export interface Derived {
  sql: string;
  /** How it is read; default as it comes. */
  as?: 'boolean';
}

// biome-ignore lint/suspicious/noExplicitAny: each operation validates query and body by the collection's own schemas.
export type Asking = Pick<ReadContext<Record<string, string>, any>, 'db' | 'actor' | 'params' | 'query'>;
export type Changing = Pick<
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  MutationContext<Record<string, string>, any, any>,
  'tx' | 'services' | 'actor' | 'params' | 'query' | 'body' | 'request'
>;

/** An item that was written, and what its audit event says of it. */
export interface Done<Item> {
  item: Item;
  detail: Record<string, unknown>;
}

/** The verbs of a collection. Those of a table are made from its declaration. */
export interface Verbs<Item> {
  list(context: Asking): Promise<Page<Item>>;
  find(context: Asking): Promise<Item>;
  create(context: Changing): Promise<Done<Item>>;
  update(context: Changing): Promise<Done<Item>>;
  remove(context: Changing): Promise<Done<Item>>;
}

/** The REST side of a collection, however its items are stored. */
export interface Served<Item extends Tagged> {
  /** Its table, and the type of resource in audit events. */
  table: string;
  /** For sentences: `DHCP scope`. */
  noun: string;
  /** For sentences about lists: `zones`; else `list`. */
  plural?: string;
  /** What saving does; by default it saves desired state. */
  effect?: 'immediate';
  /** Of an immediate one: its mutations take a dry run, as those of desired state do. */
  dryRun?: true;
  /** First sentence of the descriptions of mutations: what saving means. Null: each operation describes that itself. */
  saves?: string | null;
  tag: string;
  resource: Resource;
  /** `/api/v1/dhcp/scopes`, and the name of the id in the path below it: `scope_id`. */
  path: string;
  param: string;
  /** Its pages, which forms are posted to: all of them, and one. Saving leads to `home`. */
  pages: { all: PageName; one: PageName; home: PageName };
  /** Words of its list, where that has a file and rows that are chosen; `component` as in ids: `NtpSources`. */
  listed?: ListWords;
  /** Parameters of the path itself. */
  within?: ObjectEntries;
  /** Query parameters of the list, instead of a filter for each lookup. */
  query?: ObjectEntries;
  /** Answers also have values that the entity tag does not cover. */
  live?: boolean;
  /** Prefix of audit actions: `dhcp.scope` → `dhcp.scope.create`. */
  action: string;
  /** Columns that are never answered or audited → the member that is named as changed instead. */
  hidden?: { readonly [Member in keyof Item & string]?: string };
  /** Bytes that a create or an update takes, on the API and as a form, where an item carries a long text. */
  bodyLimit?: number;
  schemas: { item: GenericSchema; list: GenericSchema; create: GenericSchema; update: GenericSchema };
  /** The name of an item for people: its name or address. */
  title(item: Item): string;
  /** Verbs in place of the usual ones; all of them where the items have no table of the declared shape. */
  verbs?: Partial<Verbs<Item>>;
}

/** Column → the member whose id it stands for, and where ids have names: another appliance has other ids. */
export type ImportNames = Readonly<Record<string, { of: string; collection: () => AnyCollection; member: string }>>;

/** How rows of a collection are read from CSV, and what its file has besides its members. */
export interface Imports {
  /** Members by which a row of a file is known: the columns that it can't do without. Texts are compared as stored. */
  key: readonly [string, ...string[]];
  names?: ImportNames;
  /** All columns that a file may have; by default those of the file that the list is downloaded as. */
  columns?: readonly string[];
  /** Rows of a file; by default IMPORT_ROWS_MOST. */
  most?: number;
  /** What no file has, in a sentence: secrets, for one. */
  without?: string;
}

export interface Collection<Item extends Stored> extends Served<Item> {
  /** Without it rows are not read from files. */
  imports?: Imports;
  /** Prefix of ids: `scope` → `scope_…`. */
  prefix: string;
  /** Columns besides those of Kept, in the order of answers. With `revision` among them they are all columns. */
  columns: Readonly<Record<Exclude<keyof Item, keyof Kept>, ColumnKind | Derived>> & {
    readonly [Member in keyof Item & keyof Kept]?: ColumnKind;
  };
  /** Columns that order lists; `id` is added where they are not unique. */
  order: readonly (keyof Item & string)[];
  /** Columns that lists filter by equality; their texts are compared as stored. */
  lookups: readonly (keyof Item & string)[];
  /** Lookups with a fixed set of words, which are read in any case. */
  words?: { readonly [Member in keyof Item & string]?: readonly [string, ...string[]] };
  /** How the text of a lookup is stored, for members with more than one spelling. */
  spelling?: { readonly [Member in keyof Item & string]?: (text: string) => string };
  /** Members that can't change: another value than the saved one answers 409. */
  immutable: readonly (keyof Item & string)[];
  /** Values of members that a create may leave out. */
  defaults: Partial<Item>;
  /**
   * Turns write-only members of a draft into columns, before anything is compared.
   * @throws Problem 422 with pointers to those members.
   */
  seal?(draft: Draft, id: string, before: Item | null, shell: Shell): Draft;
  /** Facts for the audit event of the table's own verbs; the title is added. */
  facts(item: Item): Record<string, unknown>;
  /**
   * Makes the whole item canonical and checks it against the other saved state. `before` is null for a new one.
   * @throws Problem 422 or 409 with pointers to members.
   */
  settle(tx: Transaction, next: Item, before: Item | null, shell: Shell): Promise<Item>;
  /**
   * Writes what follows in the same transaction, such as records that the item owns. Not called when nothing changed.
   */
  saved?(tx: Transaction, after: Item, before: Item | null, shell: Shell): Promise<void>;
  /** The problem when another item has the value of a unique member; the default is made from the member's name. */
  taken?(item: Item): Problem;
  /** @throws Problem 409 `still_referenced` naming what needs the item. */
  deletable?(tx: Transaction, item: Item): Promise<void>;
  deleted?(tx: Transaction, item: Item, shell: Shell): Promise<void>;
}

/** Facts that are these members, as they are: `facts: told('kind', 'enabled')`. */
export const told =
  <Item>(...members: (keyof Item & string)[]) =>
  (item: Item): Record<string, unknown> =>
    Object.fromEntries(members.map((member) => [member, item[member]]));

// biome-ignore lint/suspicious/noExplicitAny: factories work on any collection.
export type AnyCollection = Collection<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnyServed = Served<any>;
