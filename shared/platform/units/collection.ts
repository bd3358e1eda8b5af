// What a unit declares of one of its collections (scopes, sources, datastores): columns, schemas, rules and words. Store
// and REST operations are made from it.
import type { GenericSchema } from 'valibot';
import type { Clock, Entropy } from '../../ground/clock.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Resource } from '../../kernel/access/scopes.ts';

export interface Shell {
  clock: Clock;
  entropy: Entropy;
  /** Only collections with sealed texts ask for them. */
  keys?: Keys;
  /** Who saves, for what not everybody who may save can choose. */
  actor?: Actor;
}

/** Members as they were sent; what was left out is not there. */
export type Draft = Readonly<Record<string, unknown>>;

/** Members of every item, last columns of every table. */
export interface Kept {
  id: string;
  description: string;
  enabled: boolean;
  revision: number;
  created_at: string;
  updated_at: string;
}

/** How a member is stored: SQLite has no booleans and no lists; an owner or null takes three columns. */
export type ColumnKind = 'text' | 'integer' | 'boolean' | 'json' | 'nullable' | 'owner';

export interface Collection<Item extends Kept> {
  table: string;
  /** Prefix of ids: `scope` → `scope_…`. */
  prefix: string;
  /** For sentences: `DHCP scope`. */
  noun: string;
  /** First sentence of the descriptions of mutations: what saving means. */
  saves?: string;
  tag: string;
  resource: Resource;
  /** `/api/v1/dhcp/scopes`, and the name of the id in the path below it: `scope_id`. */
  path: string;
  param: string;
  /** Prefix of audit actions: `dhcp.scope` → `dhcp.scope.create`. */
  action: string;
  /** Columns besides those of Kept, in the order of answers. */
  columns: Readonly<Record<Exclude<keyof Item, keyof Kept>, ColumnKind>>;
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
  /** Columns that are never answered nor audited → the member that people know instead. */
  hidden?: { readonly [Member in keyof Item & string]?: string };
  /**
   * Turns write-only members of a draft into columns, before anything is compared.
   * @throws Problem 422 with pointers to those members.
   */
  seal?(draft: Draft, id: string, before: Item | null, shell: Shell): Draft;
  /** Bytes that a create or an update takes, on the API and as a form, where an item carries a long text. */
  bodyLimit?: number;
  schemas: { item: GenericSchema; list: GenericSchema; create: GenericSchema; update: GenericSchema };
  /** What people call one: its name or address. */
  title(item: Item): string;
  /** Facts for the audit event; the title is added. */
  facts(item: Item): Record<string, unknown>;
  /**
   * Makes the whole item canonical and holds it against the rest of the saved state. `before` is null for a new one.
   * @throws Problem 422 or 409 with pointers to members.
   */
  settle(tx: Transaction, next: Item, before: Item | null, shell: Shell): Promise<Item>;
  /** What follows in the same transaction, such as records that the appliance keeps. Not called when nothing changed. */
  saved?(tx: Transaction, after: Item, before: Item | null, shell: Shell): Promise<void>;
  /** @throws Problem 409 `still_referenced` naming what needs it. */
  deletable?(tx: Transaction, item: Item): Promise<void>;
  deleted?(tx: Transaction, item: Item, shell: Shell): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: factories work on any collection.
export type AnyCollection = Collection<any>;
