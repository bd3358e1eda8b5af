// What a unit says of itself to the rest of the appliance, in the `unit-manifest.ts` of its folder: plain data that
// imports the paths of pages at most, so that a list of units can be read without the code of any. Everything that names units is made from
// these; `npm run registry` gathers them.
import type { PageName } from '../../ground/page-paths.ts';
import type { ArchivedTable } from '../../ground/store/archived.ts';
import type { Resource } from '../../kernel/access/scopes.ts';
import type { UnitId } from '../../kernel/generated/units.ts';
import type { ServiceDependents } from '../interfaces/refresh/snapshot.ts';

/** In reading order. */
export const GROUPS = ['Network', 'Core services', 'Trust and identity', 'Storage', 'VCF', 'Operations'] as const;
export type Group = (typeof GROUPS)[number];

export interface UnitManifest {
  /** Rows, files and addresses have it, so it never changes. */
  id: UnitId;
  /** Its place in an apply: what others stand on comes first. */
  order: number;
  /** What people call it. */
  name: string;
  /** Resources of scopes that it brings → the role that may write them beside admin. */
  resources: Readonly<Record<string, 'service-admin' | 'network-admin'>>;
  /** Where people look for it: in the navigation, and in the document. */
  group: Group;
  /** Groups of its operations in the document, each with a sentence. */
  tags: Readonly<Record<string, string>>;
  /** Lines of the navigation, each with the resource that its page shows. */
  pages: readonly { page: PageName; label: string; resource: Resource }[];
  /** Settings documents that an apply makes true on the host. Of the others, saving is all that happens yet. */
  enforces: readonly string[];
  /** Settings documents that choose interfaces: how they follow those, and what they need of the packet filter. */
  listeners: readonly Listener[];
  /**
   * What of it comes back with an applied plan: its rows and the documents that an apply enforces, the interfaces, or
   * nothing, so that they are left as they are. That is for units that no apply enforces yet.
   */
  comes_back: 'rows' | 'interfaces' | null;
  /** Tables of its own with sealed private keys, in the columns of sealed values. */
  seals?: readonly string[];
  /** Kickstarts: a JSON array of `<vault>.<key>` in this column, of the values that the text of a row takes. */
  takes_values?: { table: string; column: string };
  /** Those that others refer to come first. */
  tables: readonly UnitTable[];
}

/** A table whose rows have `id`, `description`, `enabled`, `revision`, `created_at` and `updated_at`. */
export interface UnitTable {
  name: string;
  /**
   * Of what comes back: the other columns, and texts of a unique key, each separated by spaces. While many rows are
   * written, those that go or change give up their unique texts first.
   */
  kept?: { label: string; columns: string; unique: string };
  found?: FoundRows;
  /** What an archive has of it. */
  archive: ArchivedTable;
}

/** How rows are found by the beginning of a text. */
export interface FoundRows {
  kind: string;
  /** Heading above what is found. */
  label: string;
  resource: Resource;
  /** The page of a row. */
  page: PageName;
  /** What is looked at; the first one is the name. */
  columns: readonly [name: string, ...others: string[]];
  /** One more fact of a row, in SQL. */
  fact: string;
  /** There may be many rows, and there is an index on each of the columns. */
  indexed?: boolean;
}

export interface Listener extends Omit<ServiceDependents, 'unit'> {
  /** Nothing else is opened for it. */
  opens: readonly PortNeed[];
}

export interface PortNeed {
  protocol: 'tcp' | 'udp';
  /** Their numbers, or the member of the document that holds the one. */
  ports: readonly number[] | string;
  /** What it is for: `The directory, in the clear.` */
  why: string;
  /** Member that holds the networks of clients. */
  clients?: string;
  /** Who may come where that member is empty: everybody, unless it says the appliance's own networks alone. */
  unnamed?: 'own';
  /** Switch of the document; while it is off, the port stays closed. */
  when?: string;
  /** Document that has to be enforced as well, because the port answers nobody without it. */
  awaits?: string;
}
