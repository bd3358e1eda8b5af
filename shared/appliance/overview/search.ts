// Finding things by the beginning of their name or address: one statement, at most `limit` rows of each kind. What there
// are many of is looked up on an index.

import type { Database } from '../../ground/store/database.ts';
import type { Scope } from '../../kernel/access/scopes.ts';

export type FoundKind =
  | 'interface'
  | 'vlan'
  | 'zone'
  | 'record'
  | 'scope'
  | 'reservation'
  | 'source'
  | 'volume'
  | 'datastore'
  | 'host'
  | 'job';

export interface Found {
  kind: FoundKind;
  id: string;
  /** What it is called: a name, an id. */
  name: string;
  /** One more fact: an address, a value, a state. */
  fact: string;
}

export const SEARCH_MAX_LENGTH = 255;

/** `sql`: ?1 is the text in lower case, ?2 the end of what begins with it, ?3 the most rows. */
interface Source {
  scope: Scope;
  kind: FoundKind;
  /** A query for id, name and fact. */
  sql: string;
}

/** Everything that begins with `text` sorts from `text` to here. */
const endOf = (text: string): string => `${text}\u{10ffff}`;

const begins = (column: string): string => `substr(lower(${column}), 1, length(?1)) = ?1`;

const INTERFACES = (kind: string, id: string): string => `SELECT ${id} AS id, name,
    trim(ipv4_cidr || ' ' || ipv6_cidr) AS fact FROM interface
  WHERE kind = '${kind}' AND (${['name', 'ipv4_cidr', 'ipv6_cidr', 'mac_address'].map(begins).join(' OR ')}
    OR EXISTS (SELECT 1 FROM json_tree(observed) WHERE ${begins('atom')} AND type = 'text'))
  ORDER BY name LIMIT ?3`;

/** Tables of a few hundred rows at most are read through: their names keep the case that they were typed in. */
const small = (table: string, columns: readonly [name: string, ...others: string[]], fact: string): string =>
  `SELECT id, ${columns[0]} AS name, ${fact} AS fact FROM ${table}
    WHERE ${columns.map(begins).join(' OR ')} ORDER BY ${columns[0]} LIMIT ?3`;

/** Tables that may be long have an index on each of the columns. */
const indexed = (table: string, columns: readonly string[], name: string, fact: string): string => {
  const all = `id, ${name} AS name, ${fact} AS fact`;
  const each = columns.map(
    (column) =>
      `SELECT * FROM (SELECT ${all} FROM ${table} WHERE ${column} >= ?1 AND ${column} < ?2 ORDER BY ${column} LIMIT ?3)`,
  );
  return `SELECT * FROM (${each.join(' UNION ')}) ORDER BY name, fact LIMIT ?3`;
};

const SOURCES: readonly Source[] = [
  { scope: 'read:interfaces', kind: 'interface', sql: INTERFACES('physical', 'name') },
  { scope: 'read:vlans', kind: 'vlan', sql: INTERFACES('vlan', 'id') },
  { scope: 'read:dns', kind: 'zone', sql: indexed('dns_zone', ['name'], 'name', 'description') },
  { scope: 'read:dns', kind: 'record', sql: indexed('dns_record', ['fqdn', 'value'], 'fqdn', "type || ' ' || value") },
  { scope: 'read:dhcp', kind: 'scope', sql: small('dhcp_scope', ['name', 'subnet_cidr'], 'subnet_cidr') },
  {
    scope: 'read:dhcp',
    kind: 'reservation',
    sql: indexed(
      'dhcp_reservation',
      ['hostname', 'ip_address', 'mac_address'],
      'hostname',
      "ip_address || ' ' || mac_address",
    ),
  },
  { scope: 'read:ntp', kind: 'source', sql: small('ntp_source', ['address'], "kind || ' ' || description") },
  {
    scope: 'read:storage',
    kind: 'volume',
    sql: small('storage_volume', ['name', 'device', 'mount_path'], 'mount_path'),
  },
  { scope: 'read:storage', kind: 'datastore', sql: small('storage_datastore', ['name'], 'interface') },
  {
    scope: 'read:pxe',
    kind: 'host',
    sql: small('network_boot_host', ['hostname', 'mac_address', 'ip_address'], "mac_address || ' ' || ip_address"),
  },
  { scope: 'read:jobs', kind: 'job', sql: indexed('job', ['id'], 'id', "kind || ', ' || state") },
];

/** What the caller may read and begins with `text`, kind by kind; nothing for an empty text. */
export async function findByPrefix(
  database: Database,
  text: string,
  scopes: ReadonlySet<Scope>,
  limit: number,
): Promise<Found[]> {
  const wanted = text.trim().toLowerCase().slice(0, SEARCH_MAX_LENGTH);
  const sources = SOURCES.filter(({ scope }) => scopes.has(scope));
  if (wanted === '' || sources.length === 0) return [];
  const each = sources.map(({ kind, sql }, at) => `SELECT ${at} AS place, '${kind}' AS kind, * FROM (${sql})`);
  const statement = `SELECT kind, id, name, fact FROM (${each.join(' UNION ALL ')}) ORDER BY place, name, fact`;
  return database.all<Found>(statement, [wanted, endOf(wanted), limit]);
}
