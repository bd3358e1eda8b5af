// Which saved rows belong to which unit: what an applied plan keeps of it, and what comes back when the plan does.
import type { Resource, Scope } from '../../kernel/access/scopes.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { UnitManifest, UnitTable } from '../../platform/units/manifest.ts';
import type { AnySettings } from '../../platform/units/settings.ts';
import { LEGACY_DEFAULTS } from '../../services/dns-dhcp/dhcp/legacy-binding.ts';
import { LEGACY_KEY } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import { MANIFESTS } from '../manifests.ts';
import { SETTINGS } from '../settings.ts';

/** A table whose rows have `id`, `revision`, `created_at` and `updated_at` besides `columns`. */
export interface KeptTable {
  name: string;
  /** Its rows are made once: they have no `revision` and no `updated_at`. */
  plain?: boolean;
  /** Columns that a new row begins with and that no row brings along. */
  begins?: Readonly<Record<string, string>>;
  /** Name in answers and audit events. */
  collection: string;
  label: string;
  columns: readonly string[];
  /** Texts of a unique key: while many rows are written, those that go or change give theirs up first. */
  unique: readonly string[];
  /** Columns of unique keys that take no other texts: what stands in them meanwhile. */
  meanwhile?: Readonly<Record<string, string>>;
  /** Columns that are not kept: they stay as they are. */
  apart?: readonly string[];
}

export interface KeptDocument {
  /** Row of `unit_settings`. */
  key: string;
  label: string;
  /** What stands for a document that was not saved yet when the plan was applied. */
  defaults: object;
}

export interface KeptUnit {
  /** Those that others refer to come first. */
  tables: readonly KeptTable[];
  documents: readonly KeptDocument[];
  /** Whether the interfaces themselves are of this unit. */
  interfaces: boolean;
  /** What whoever brings it back has to be allowed to write. */
  scopes: readonly Scope[];
}

const table = ({ name }: UnitTable, { label, columns, unique, apart }: NonNullable<UnitTable['kept']>): KeptTable => ({
  name,
  collection: `${name}s`,
  label,
  columns: `${columns} description enabled`.split(' '),
  unique: unique.split(' '),
  ...(apart !== undefined && { apart: apart.split(' ') }),
});

function document(key: string): KeptDocument {
  const definition: AnySettings = SETTINGS.find((known) => known.key === key)!;
  const listening = definition.listens === 'no' ? {} : { listen_addresses: [] };
  return { key, label: `Settings of ${definition.name}`, defaults: { ...definition.defaults, ...listening } };
}

/** Documents that are no unit's settings. */
const OTHERS: Partial<Record<UnitId, KeptDocument[]>> = {
  'dns-dhcp': [{ key: LEGACY_KEY, label: 'Legacy global DHCP binding', defaults: LEGACY_DEFAULTS }],
};

/** Every settings document of a unit, those among them that no apply enforces. */
export const DOCUMENTS_OF = (id: UnitId): KeptDocument[] => [
  ...SETTINGS.filter(({ unit }) => unit === id).map(({ key }) => document(key)),
  ...(OTHERS[id] ?? []),
];

const keptOf = ({ id, comes_back, enforces, tables, resources }: UnitManifest): KeptUnit | null =>
  comes_back && {
    tables: tables.flatMap((each) => (each.kept ? [table(each, each.kept)] : [])),
    documents: [...enforces.map(document), ...(OTHERS[id] ?? [])],
    interfaces: comes_back === 'interfaces',
    scopes: Object.keys(resources).map((resource) => `write:${resource as Resource}` as const),
  };

/** By unit; null: nothing is kept of it, so that a plan leaves it as it is when it is brought back. */
export const KEPT = Object.fromEntries(MANIFESTS.map((unit) => [unit.id, keptOf(unit)])) as Readonly<
  Record<UnitId, KeptUnit | null>
>;

export const keptUnits = (units: readonly UnitId[]): UnitId[] => units.filter((id) => KEPT[id] !== null);
