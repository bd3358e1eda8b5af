// What a unit declares in its `unit-manifest.ts` for the rest of the appliance: plain data that imports page paths at
// most, so that a list of units needs none of their code. Everything that names units is made from the manifests, which
// `npm run registry` gathers.
import type { PageName } from '../../ground/page-paths.ts';
import type { ArchivedTable } from '../../ground/store/archived.ts';
import type { Resource } from '../../kernel/access/scopes.ts';
import type { UnitId } from '../../kernel/generated/units.ts';
import type { ServiceDependents } from '../interfaces/refresh/snapshot.ts';

/** In reading order. */
export const GROUPS = ['Network', 'Core services', 'Trust and identity', 'Storage', 'VCF', 'Operations'] as const;
export type Group = (typeof GROUPS)[number];

export interface UnitManifest {
  /** Rows, files and URLs contain the id, so it never changes. */
  id: UnitId;
  /** Order of the apply: units that others depend on come first. */
  order: number;
  /** Name for people. */
  name: string;
  /** Resources of scopes that it brings → the role that may write them beside admin. */
  resources: Readonly<Record<string, 'service-admin' | 'network-admin'>>;
  /** Group in the navigation and in the OpenAPI document. */
  group: Group;
  /** Tags of its operations in the OpenAPI document, each with a sentence. */
  tags: Readonly<Record<string, string>>;
  /** Entries of the navigation, each with the resource that its page shows. */
  pages: readonly { page: PageName; label: string; resource: Resource }[];
  /** Settings documents that an apply enforces. The others are only saved so far. */
  enforces: readonly string[];
  /** Settings documents that choose interfaces: how they follow interfaces, and which ports they need open. */
  listeners: readonly Listener[];
  /**
   * What is restored with an applied plan: the unit's rows and the documents that an apply enforces, the interfaces, or
   * nothing, for units that no apply enforces yet.
   */
  comes_back: 'rows' | 'interfaces' | null;
  /** Another certificate of the authority comes into force by a plan; otherwise the service itself takes it up. */
  certified_by_plan?: true;
  /** Its tables with sealed private keys, in the columns of sealed values. */
  seals?: readonly string[];
  /** Kickstarts: the column with a JSON array of the names `<vault>.<key>` in the text of a row. */
  takes_values?: { table: string; column: string };
  /** Tables that others refer to come first. */
  tables: readonly UnitTable[];
}

/** A table whose rows have `id`, `description`, `enabled`, `revision`, `created_at` and `updated_at`. */
export interface UnitTable {
  name: string;
  /**
   * For restoring: the other columns, and the texts of unique keys, separated by spaces. Rows that are deleted or
   * changed give up their unique texts before others are written.
   */
  kept?: {
    label: string;
    columns: string;
    unique: string;
    /** Columns that stay as they are whatever plan comes back, since they tell of something outside; a row that comes back has their defaults. */
    apart?: string;
  };
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
  /** Columns that are searched; the first one is the name. */
  columns: readonly [name: string, ...others: string[]];
  /** One more fact of a row, in SQL. */
  fact: string;
  /** There may be many rows, and there is an index on each of the columns. */
  indexed?: boolean;
}

export interface Listener extends Omit<ServiceDependents, 'unit'> {
  /** The ports that the firewall opens for the document. */
  opens: readonly PortNeed[];
}

export interface PortNeed {
  protocol: 'tcp' | 'udp';
  /** Port numbers, or the member of the document with the port. */
  ports: readonly number[] | string;
  /** What the ports are for: `The directory, in the clear.` */
  why: string;
  /** Member that holds the networks of clients. */
  clients?: string;
  /** Who may connect while that member is empty: by default everybody; `own`: the appliance's own networks alone. */
  unnamed?: 'own';
  /** Switch of the document; while it is off, the port stays closed. */
  when?: string;
  /** Another document that has to be enforced as well, because nothing answers at the port without it. */
  awaits?: string;
}
