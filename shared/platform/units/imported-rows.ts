// What an import of rows asks: words, columns, and where rows are found and saved. Made from the declaration of a collection;
// things that have no table of the declared shape declare it themselves.
import type { GenericSchema } from 'valibot';
import type { ListWords } from '../../ground/list-words.ts';
import { type PageName, pageRoute } from '../../ground/page-paths.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Resource } from '../../kernel/access/scopes.ts';
import type {
  Changing,
  Collection,
  ColumnKind,
  Derived,
  Done,
  ImportNames,
  Imports,
  Stored,
  Tagged,
} from './collection.ts';
import { csvColumns } from './collection-csv.ts';
import { kindOf, listItems } from './collection-store.ts';
import { verbsOf } from './table-verbs.ts';

/** The rows while a file is read in, within its transaction. */
export interface OpenedRows {
  /** The saved row with this key; null: there is none. */
  find(key: readonly unknown[]): Promise<Tagged | null>;
  create(context: Changing): Promise<Done<Tagged>>;
  update(context: Changing, id: string): Promise<Done<Tagged>>;
}

export interface ImportedRows extends Pick<Imports, 'key' | 'without'> {
  /** The type of resource in audit events. */
  table: string;
  /** For sentences: `DHCP scope`. */
  noun: string;
  tag: string;
  resource: Resource;
  /** Prefix of audit actions: `dhcp.scope` → `dhcp.scope.create`. */
  action: string;
  listed: ListWords;
  /** `/api/v1/dhcp/scopes/import`, and the path of its page. */
  path: string;
  page: string;
  /** Where saving leads to. */
  home: PageName;
  names: ImportNames;
  /** All columns that a file may have; by default those of the list's file, and those of names. */
  taken?: readonly string[];
  /** Rows of a file; by default IMPORT_ROWS_MOST. */
  most?: number;
  /** Those of the file that the list is downloaded as, and how each is read. */
  columns: readonly string[];
  kind(column: string): ColumnKind | Derived;
  /** How the text of a part of the key is stored, for members with more than one spelling. */
  spelled(member: string, text: string): string;
  schemas: { create: GenericSchema; update: GenericSchema };
  open(tx: Transaction): Promise<OpenedRows>;
}

/** Rows with the same first part of their key that are looked through. */
const TWINS_MOST = 1_000;

export function rowsOf<Item extends Stored>(collection: Collection<Item>): ImportedRows {
  const { imports, listed, pages, path, table, noun, tag, resource, action, schemas } = collection;
  if (!imports || !listed) throw new Error(`The rows of ${table} are not read from files.`);
  const { key, names = {}, without, columns: taken, most } = imports;
  const verbs = verbsOf(collection);
  return {
    ...{ table, noun, tag, resource, action, schemas, listed, key, names },
    ...(without !== undefined && { without }),
    ...(taken && { taken }),
    ...(most !== undefined && { most }),
    path: `${path}/import`,
    page: `${pageRoute(pages.all)}/import`,
    home: pages.home,
    columns: csvColumns(collection),
    kind: (column) => kindOf(collection, column),
    spelled: (member, text) => spellings(collection).get(member)?.(text) ?? text,
    open: async (tx) => ({
      find: (values) => existing(tx, collection, values),
      create: (context) => verbs.create(context),
      update: (context, id) => verbs.update({ ...context, params: { [collection.param]: id } }),
    }),
  };
}

/** Of a collection, or as they are declared. */
export const importedRows = <Item extends Stored>(of: Collection<Item> | ImportedRows): ImportedRows =>
  'open' in of ? of : rowsOf(of);

const spellings = <Item extends Stored>({ spelling = {} }: Collection<Item>) =>
  new Map(Object.entries<((text: string) => string) | undefined>(spelling));

/** By the parts that lists filter by, then by all of them. */
async function existing<Item extends Stored>(
  tx: Transaction,
  collection: Collection<Item>,
  key: readonly unknown[],
): Promise<Item | null> {
  const members: readonly string[] = collection.imports?.key ?? [];
  const lookups: readonly string[] = collection.lookups;
  const filters = Object.fromEntries(
    members.flatMap((member, at) => (lookups.includes(member) && key[at] !== null ? [[member, String(key[at])]] : [])),
  );
  const { items } = await listItems(tx, collection, { filters, limit: TWINS_MOST });
  return items.find((item) => members.every((member, at) => memberOf(item, member) === key[at])) ?? null;
}

export const memberOf = (item: object, member: string): unknown => Reflect.get(item, member);
