// Finding things by the beginning of their name or address. One statement for each kind of thing, each on an index, at
// most `limit` rows each.
import type { Scope } from '../access/scopes.ts';
import type { Database, SqlValue } from '../store/database.ts';

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

interface Source {
  scope: Scope;
  sql: string;
  /** Parameters from the lower-case text and the end of its range. */
  parameters(text: string, end: string, limit: number): SqlValue[];
}

/** Everything that begins with `text` sorts from `text` to here. */
const endOf = (text: string): string => `${text}\u{10ffff}`;

const INTERFACES = (kind: string, id: string): string => `SELECT '${kind}' AS kind, ${id} AS id, name,
    trim(ipv4_cidr || ' ' || ipv6_cidr) AS fact FROM interface
  WHERE kind = '${kind === 'vlan' ? 'vlan' : 'physical'}'
    AND (substr(lower(name), 1, length(?1)) = ?1 OR substr(ipv4_cidr, 1, length(?1)) = ?1
      OR substr(ipv6_cidr, 1, length(?1)) = ?1 OR substr(mac_address, 1, length(?1)) = ?1
      OR EXISTS (SELECT 1 FROM json_tree(observed) WHERE substr(atom, 1, length(?1)) = ?1 AND type = 'text'))
  ORDER BY name LIMIT ?2`;

/** Tables of a few hundred rows at most are read through: their names keep the case that they were typed in. */
function small(scope: Scope, kind: FoundKind, table: string, name: string, fact: string, others: string[]): Source {
  const begins = [name, ...others].map((column) => `substr(lower(${column}), 1, length(?1)) = ?1`);
  return {
    scope,
    sql: `SELECT '${kind}' AS kind, id, ${name} AS name, ${fact} AS fact FROM ${table}
      WHERE ${begins.join(' OR ')} ORDER BY ${name} LIMIT ?2`,
    parameters: (text, _end, limit) => [text, limit],
  };
}

const SOURCES: readonly Source[] = [
  {
    scope: 'read:interfaces',
    sql: INTERFACES('interface', 'name'),
    parameters: (text, _end, limit) => [text, limit],
  },
  { scope: 'read:vlans', sql: INTERFACES('vlan', 'id'), parameters: (text, _end, limit) => [text, limit] },
  {
    scope: 'read:dns',
    sql: `SELECT 'zone' AS kind, id, name, description AS fact FROM dns_zone
      WHERE name >= ? AND name < ? ORDER BY name LIMIT ?`,
    parameters: (text, end, limit) => [text, end, limit],
  },
  {
    scope: 'read:dns',
    sql: `SELECT 'record' AS kind, id, fqdn AS name, type || ' ' || value AS fact FROM
      (SELECT * FROM (SELECT id, fqdn, type, value FROM dns_record WHERE fqdn >= ?1 AND fqdn < ?2 ORDER BY fqdn LIMIT ?3)
       UNION
       SELECT * FROM (SELECT id, fqdn, type, value FROM dns_record WHERE value >= ?1 AND value < ?2 ORDER BY value LIMIT ?3))
      ORDER BY name, fact LIMIT ?3`,
    parameters: (text, end, limit) => [text, end, limit],
  },
  small('read:dhcp', 'scope', 'dhcp_scope', 'name', 'subnet_cidr', ['subnet_cidr']),
  {
    scope: 'read:dhcp',
    sql: `SELECT 'reservation' AS kind, id, hostname AS name, ip_address || ' ' || mac_address AS fact FROM
      (SELECT * FROM (SELECT id, hostname, ip_address, mac_address FROM dhcp_reservation
         WHERE hostname >= ?1 AND hostname < ?2 ORDER BY hostname LIMIT ?3)
       UNION
       SELECT * FROM (SELECT id, hostname, ip_address, mac_address FROM dhcp_reservation
         WHERE ip_address >= ?1 AND ip_address < ?2 ORDER BY ip_address LIMIT ?3)
       UNION
       SELECT * FROM (SELECT id, hostname, ip_address, mac_address FROM dhcp_reservation
         WHERE mac_address >= ?1 AND mac_address < ?2 ORDER BY mac_address LIMIT ?3))
      ORDER BY name, fact LIMIT ?3`,
    parameters: (text, end, limit) => [text, end, limit],
  },
  small('read:ntp', 'source', 'ntp_source', 'address', "kind || ' ' || description", []),
  small('read:storage', 'volume', 'storage_volume', 'name', 'mount_path', ['device', 'mount_path']),
  small('read:storage', 'datastore', 'storage_datastore', 'name', 'interface', []),
  small('read:pxe', 'host', 'network_boot_host', 'hostname', "mac_address || ' ' || ip_address", [
    'mac_address',
    'ip_address',
  ]),
  {
    scope: 'read:jobs',
    sql: `SELECT 'job' AS kind, id, id AS name, kind || ', ' || state AS fact FROM job
      WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`,
    parameters: (text, end, limit) => [text, end, limit],
  },
];

/** What the caller may read and begins with `text`; nothing for an empty text. */
export async function findByPrefix(
  database: Database,
  text: string,
  scopes: ReadonlySet<Scope>,
  limit: number,
): Promise<Found[]> {
  const wanted = text.trim().toLowerCase().slice(0, SEARCH_MAX_LENGTH);
  if (wanted === '') return [];
  const sources = SOURCES.filter(({ scope }) => scopes.has(scope));
  const found = await Promise.all(
    sources.map(({ sql, parameters }) => database.all<Found>(sql, parameters(wanted, endOf(wanted), limit))),
  );
  return found.flat();
}
