// Records as others ask for them: at names, at addresses, of a machine. Each is one statement and read by an index.
import type { Database } from '../../../ground/store/database.ts';
import { ownedComponent, SOURCE } from '../owned-component.ts';

/** A saved record at one of the names. */
export interface NamedRecord {
  id: string;
  fqdn: string;
  type: string;
  value: string;
  description: string;
  enabled: boolean;
  owner_source: string | null;
  owner_ref: string | null;
  /** A host name of a catalog, or null. */
  owner_component: string | null;
}

type NamedRow = Omit<NamedRecord, 'enabled'> & { enabled: number };

const AT_NAMES = `SELECT id, fqdn, type, value, description, enabled, owner_source, owner_ref, owner_component
  FROM dns_record WHERE fqdn IN (SELECT value FROM json_each(?))`;

export async function recordsAt(db: Database, names: readonly string[]): Promise<NamedRecord[]> {
  const rows = await db.all<NamedRow>(AT_NAMES, [JSON.stringify(names)]);
  return rows.map((record) => {
    const { owner_source: source, owner_ref: ref, owner_component: component } = record;
    const owner_component = source === null ? null : ownedComponent({ source, ref, component });
    return { ...record, enabled: record.enabled === 1, owner_component };
  });
}

const OF_ADDRESSES = `SELECT value, enabled, min(fqdn) AS fqdn FROM dns_record
  WHERE value IN (SELECT value FROM json_each(?)) AND type IN ('A', 'AAAA') GROUP BY value, enabled`;

/** Address → the alphabetically first name of its records: `served` of enabled ones, `all` of these where there are some. */
export async function namesOfAddresses(
  db: Database,
  addresses: readonly string[],
): Promise<Record<'all' | 'served', ReadonlyMap<string, string>>> {
  const rows = await db.all<{ value: string; enabled: number; fqdn: string }>(OF_ADDRESSES, [
    JSON.stringify(addresses),
  ]);
  const of = (enabled: number) =>
    rows.filter((row) => row.enabled === enabled).map(({ value, fqdn }) => [value, fqdn] as const);
  return { all: new Map([...of(0), ...of(1)]), served: new Map(of(1)) };
}

const REVERSES = `SELECT fqdn, value FROM dns_record
  WHERE fqdn IN (SELECT value FROM json_each(?)) AND type = 'PTR' AND enabled = 1`;

/** Targets of PTR records that somebody wrote, by reverse name. */
export async function reverseTargets(db: Database, reverse_names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.all<{ fqdn: string; value: string }>(REVERSES, [JSON.stringify(reverse_names)]);
  return new Map(rows.map(({ fqdn, value }) => [fqdn, value]));
}

interface AddressRecord {
  fqdn: string;
  value: string;
}

// A name below another begins with `name.`, and `/` is the character after the dot.
const BELOW = `SELECT fqdn, value FROM dns_record
  WHERE fqdn >= ?1 || '.' AND fqdn < ?1 || '/' AND type IN ('A', 'AAAA') AND enabled = 1`;

/** Address records that are served of a host name, in any zone. */
export const recordsOfHost = (db: Database, name: string): Promise<AddressRecord[]> =>
  db.all<AddressRecord>(BELOW, [name]);

const OF_COMPONENT = `SELECT fqdn, value FROM dns_record
  WHERE owner_source = ? AND owner_component = ? AND type IN ('A', 'AAAA') AND enabled = 1`;

export const recordsOfComponent = (db: Database, source: string, component: string): Promise<AddressRecord[]> =>
  db.all<AddressRecord>(OF_COMPONENT, [source, component]);

/** Names that the deployment helper generated: read at most, where a deployment has some twenty. */
const GENERATED_MOST = 5000;

const GENERATED = `SELECT fqdn, owner_ref AS catalog, owner_component AS component, count(*) AS records FROM dns_record
  WHERE owner_source = '${SOURCE}' GROUP BY owner_ref, fqdn, owner_component LIMIT ${GENERATED_MOST}`;

interface GeneratedName {
  fqdn: string;
  catalog: string | null;
  component: string | null;
  records: number;
}

export const generatedNames = (db: Database): Promise<GeneratedName[]> => db.all<GeneratedName>(GENERATED);
