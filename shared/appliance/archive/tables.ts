// Which tables and documents an archive has, by unit, as their owners declare it. Those that others refer to come first.
import type { ArchivedRows, ArchivedTable, ArchivedTables } from '../../ground/store/archived.ts';
import { ARCHIVED as ACCESS, ACCOUNTS, FACTORS } from '../../kernel/access/archived.ts';
import type { Resource, Scope } from '../../kernel/access/scopes.ts';
import { ARCHIVED as AUDIT } from '../../kernel/audit/archived.ts';
import { ARCHIVED as JOBS } from '../../kernel/jobs/archived.ts';
import { ARCHIVED as OPERATION } from '../../kernel/operation/archived.ts';
import { ARCHIVED as APPLIED } from '../../platform/applied/archived.ts';
import { ARCHIVED as AUTHORITY } from '../../platform/certificate-authority/archived.ts';
import { ARCHIVED as INTERFACES } from '../../platform/interfaces/archived.ts';
import { unitName } from '../../platform/unit-names.ts';
import { ARCHIVED as SETTINGS_DOCUMENTS } from '../../platform/units/archived.ts';
import { ARCHIVED as VAULTS } from '../../platform/vaults/archived.ts';
import { ARCHIVED as DNS_DHCP } from '../../services/dns-dhcp/archived.ts';
import { ARCHIVED as KMS } from '../../services/kms/archived.ts';
import { ARCHIVED as MANAGEMENT_TLS } from '../../services/management-tls/archived.ts';
import { ARCHIVED as NETWORK_BOOT } from '../../services/network-boot/archived.ts';
import { ARCHIVED as OFFLINE_DEPOT } from '../../services/offline-depot/archived.ts';
import { ARCHIVED as OIDC } from '../../services/oidc/archived.ts';
import { ARCHIVED as WEB_TERMINAL } from '../../services/web-terminal/archived.ts';
import { ARCHIVED as ALERTS } from '../../vcf/alerts/archived.ts';
import { RULES_DOCUMENT } from '../../vcf/alerts/rules.ts';
import { DOCUMENTS_OF, type KeptDocument } from '../apply/applied-rows-tables.ts';
import { ARCHIVED as APPLY } from '../apply/archived.ts';
import { MANIFESTS } from '../manifests.ts';
import { ARCHIVED as ARCHIVES } from './archived.ts';
import { SCHEDULE_DOCUMENT } from './schedule/document.ts';

/** Every table of the appliance and what an archive has of it. */
export const DECLARED: ReadonlyMap<string, ArchivedTable> = new Map([
  ...MANIFESTS.flatMap(({ tables }) => tables.map(({ name, archive }) => [name, archive] as const)),
  ...[
    ACCESS,
    AUDIT,
    OPERATION,
    JOBS,
    INTERFACES,
    SETTINGS_DOCUMENTS,
    VAULTS,
    APPLIED,
    AUTHORITY,
    DNS_DHCP,
    KMS,
    MANAGEMENT_TLS,
    NETWORK_BOOT,
    OFFLINE_DEPOT,
    OIDC,
    WEB_TERMINAL,
    ALERTS,
    APPLY,
    ARCHIVES,
  ].flatMap((tables) => Object.entries(tables)),
]);

const words = (list: string | undefined): readonly string[] => list?.split(' ') ?? [];

/** A declaration, its lists read. */
export interface Table extends Pick<ArchivedRows, 'as' | 'label'> {
  name: string;
  columns: readonly string[];
  key: readonly string[];
  /** Texts of unique keys; those that are not in `key` are unique alone. */
  unique: readonly string[];
  /** Column of a unique key → the value that any number of rows may have. */
  meanwhile: ReadonlyMap<string, string>;
  booleans: ReadonlySet<string>;
  json: ReadonlySet<string>;
  refers: ReadonlyMap<string, string>;
  owners: ReadonlyMap<string, string>;
  names: readonly string[];
  interfaces: readonly string[];
  left: readonly string[];
  secret: readonly string[];
  plain: boolean;
  many: boolean;
  onlyAdded: boolean;
  id: string;
  dated: boolean;
}

function read(name: string, rows: ArchivedRows): Table {
  return {
    name,
    as: rows.as,
    label: rows.label,
    columns: words(rows.columns),
    key: words(rows.key),
    unique: words(rows.unique),
    meanwhile: new Map(Object.entries(rows.meanwhile ?? {})),
    booleans: new Set(words(rows.booleans)),
    json: new Set(words(rows.json)),
    refers: new Map(Object.entries(rows.refers ?? {})),
    owners: new Map(Object.entries(rows.owners ?? {})),
    names: words(rows.names),
    interfaces: words(rows.interfaces),
    left: words(rows.left),
    secret: words(rows.secret),
    plain: rows.plain === true,
    many: rows.many === true,
    onlyAdded: rows.onlyAdded === true,
    id: rows.id ?? 'id',
    dated: rows.plain !== true && rows.undated !== true,
  };
}

const carried = (tables: ArchivedTables): Table[] =>
  Object.entries(tables).flatMap(([name, table]) => ('columns' in table ? [read(name, table)] : []));

/** What is restored together. */
export interface Part {
  /** A unit, or what belongs to none. */
  id: string;
  label: string;
  tables: readonly Table[];
  /** Settings documents. */
  documents: readonly KeptDocument[];
  /** What whoever restores it has to be allowed to write. */
  scopes: readonly Scope[];
}

/** Tables of a unit that its manifest does not name. */
const BESIDE: Readonly<Record<string, ArchivedTables>> = {
  network: INTERFACES,
  'certificate-authority': AUTHORITY,
  'private-cloud-services': OFFLINE_DEPOT,
  kms: KMS,
  'management-tls': MANAGEMENT_TLS,
  oidc: OIDC,
};

/** Documents of no unit. */
const CONNECTIONS: KeptDocument = {
  key: 'remote',
  label: 'Settings of connections to remote machines',
  defaults: { allowed_networks: [] },
};

const PUBLIC_PAGES: KeptDocument = {
  key: 'public-pages',
  label: 'Settings of the public pages',
  defaults: { certificate_requests: false, status: false, directory_passwords: false },
};

export const PARTS: readonly Part[] = [
  { id: 'vaults', label: 'Vaults', tables: carried(VAULTS), documents: [], scopes: ['write:vaults'] },
  ...MANIFESTS.map(({ id, tables, resources }) => ({
    id,
    label: unitName(id),
    tables: [
      ...carried(BESIDE[id] ?? {}),
      ...carried(Object.fromEntries(tables.map(({ name, archive }) => [name, archive]))),
    ],
    documents: DOCUMENTS_OF(id),
    scopes: Object.keys(resources).map((resource) => `write:${resource as Resource}` as const),
  })),
  {
    id: 'remote',
    label: 'Connections to remote machines',
    tables: [],
    documents: [CONNECTIONS],
    scopes: ['write:settings'],
  },
  {
    id: 'public-pages',
    label: 'Public pages',
    tables: [],
    documents: [PUBLIC_PAGES],
    scopes: ['write:settings'],
  },
  {
    id: 'alerts',
    label: 'Alerts',
    tables: carried(ALERTS),
    documents: [RULES_DOCUMENT],
    scopes: ['write:alerts'],
  },
  {
    id: 'archives',
    label: 'Schedule of archives',
    tables: carried(ARCHIVES),
    documents: [SCHEDULE_DOCUMENT],
    // Recipients of archives read everything that is saved.
    scopes: ['write:archives', 'write:vaults'],
  },
];

export const [SETTINGS_TABLE] = carried(SETTINGS_DOCUMENTS) as [Table];

/** In the order in which rows may refer to one another. */
export const TABLES: readonly Table[] = [...PARTS.flatMap(({ tables }) => tables), SETTINGS_TABLE];

/** Of which there may be very many rows. */
export const MANY_TABLES: readonly Table[] = TABLES.filter(({ many }) => many);

/** Who may sign in. It is in no comparison and in no restore: an appliance that starts from an archive takes it over. */
export const ACCOUNTS_TABLE = read('user', ACCOUNTS);

/** What they sign in with beside the password. */
export const FACTORS_TABLE = read('second_factor', FACTORS);
/** Of nobody but the appliance: in encrypted bytes alone. */
export const IDENTITY_TABLES: readonly Table[] = [ACCOUNTS_TABLE, FACTORS_TABLE];

/** All that an archive may have. */
export const CARRIED: readonly Table[] = [...TABLES, ...IDENTITY_TABLES];

export const tableNamed = (name: string): Table | undefined => CARRIED.find((table) => table.name === name);

/** Name in answers: `dns_records`. */
export const collectionOf = (name: string): string => {
  if (name.endsWith('um')) return `${name.slice(0, -2)}a`;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
};
