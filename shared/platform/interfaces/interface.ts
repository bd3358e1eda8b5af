// A network interface: one row of the table `interface`, physical or VLAN, with its desired state and what was
// observed.
import type { Database, Row } from '../../ground/store/database.ts';

export const ROLES = ['management', 'access', 'route', 'unused'] as const;
export type Role = (typeof ROLES)[number];
export const MODES = ['access', 'trunk'] as const;
export type Mode = (typeof MODES)[number];
export const IPV4_METHODS = ['static', 'dhcp'] as const;
export type Ipv4Method = (typeof IPV4_METHODS)[number];

/**
 * Longest name of a saved interface. Linux allows 15 characters; a row whose link is gone while another one bears its
 * name has `-absent` after its own, and its VLANs their number after that.
 */
export const NAME_MOST = 32;

/** What the kernel last reported; the addresses are canonical CIDRs without link-local ones. */
export interface Observed {
  ipv4_cidrs: string[];
  ipv6_cidrs: string[];
  mtu: number;
  link: 'up' | 'down';
}

export interface NetworkInterface {
  name: string;
  kind: 'physical' | 'vlan';
  /** `vlan_…` for a VLAN; a physical interface is identified by its name. */
  id: string;
  mac_address: string;
  driver: string | null;
  speed_mbps: number | null;
  observed: Observed | null;
  /** False when the link has vanished from the machine. */
  present: boolean;
  parent_interface: string | null;
  vlan_id: number | null;
  role: Role;
  mode: Mode;
  ipv4_method: Ipv4Method;
  /** `address/prefix`; empty when there is none. The same goes for the three below. */
  ipv4_cidr: string;
  ipv4_gateway: string;
  ipv6_enabled: boolean;
  ipv6_cidr: string;
  ipv6_gateway: string;
  mtu: number;
  enabled: boolean;
  access_management_ui_enabled: boolean;
  revision: number;
  updated_at: string;
}

/** Of one that does nothing, and of a trunk: no role, and no address of its own. */
export const NO_ROLE = {
  role: 'unused',
  ipv4_method: 'static',
  ipv4_cidr: '',
  ipv4_gateway: '',
  ipv6_enabled: false,
  ipv6_cidr: '',
  ipv6_gateway: '',
} as const satisfies Partial<NetworkInterface>;

/** How a refusal goes on about an interface that it names and that is gone, or its trunk; null for one that is there. */
export function goneWords(
  { kind, present, parent_interface }: NetworkInterface,
  trunk?: NetworkInterface,
): string | null {
  if (present && trunk?.present !== false) return null;
  return kind === 'vlan' ? `stands on ${parent_interface}, which ${GONE}` : GONE;
}
export const GONE = 'is no longer in this machine';

/** Columns in the order of the table; `name` is the key. */
export const INTERFACE_COLUMNS = [
  'name',
  'kind',
  'id',
  'mac_address',
  'driver',
  'speed_mbps',
  'observed',
  'present',
  'parent_interface',
  'vlan_id',
  'role',
  'mode',
  'ipv4_method',
  'ipv4_cidr',
  'ipv4_gateway',
  'ipv6_enabled',
  'ipv6_cidr',
  'ipv6_gateway',
  'mtu',
  'enabled',
  'access_management_ui_enabled',
  'revision',
  'updated_at',
] as const satisfies readonly (keyof NetworkInterface)[];

const BOOLEANS = new Set<string>(['present', 'ipv6_enabled', 'enabled', 'access_management_ui_enabled']);

/** Roles of an older release, and what they mean now. New requests can't name them. */
export const RETIRED_ROLES: ReadonlyMap<string, Role> = new Map([
  ['services', 'access'],
  ['storage', 'access'],
]);

/** A persisted role, from this release or an older one; anything unknown is `unused`. */
export function readRole(value: string): Role {
  const role = value.trim().toLowerCase();
  return ROLES.find((known) => known === role) ?? RETIRED_ROLES.get(role) ?? 'unused';
}

/** A persisted mode; the legacy spelling `routed` is `access`. */
export function readMode(value: string): Mode {
  return value.trim().toLowerCase() === 'trunk' ? 'trunk' : 'access';
}

/** Row → interface. The row must hold all of INTERFACE_COLUMNS. */
export function interfaceFromRow(row: Row): NetworkInterface {
  const fields: Record<string, unknown> = {};
  for (const column of INTERFACE_COLUMNS) {
    fields[column] = BOOLEANS.has(column) ? row[column] === 1 : row[column];
  }
  fields.observed = typeof row.observed === 'string' ? (JSON.parse(row.observed) as Observed) : null;
  fields.role = readRole(String(row.role));
  fields.mode = readMode(String(row.mode));
  return fields as unknown as NetworkInterface;
}

/** Interface → row, for an insert or update by a writing caller. */
export function rowFromInterface(row: NetworkInterface): Row {
  const fields: Row = {};
  for (const column of INTERFACE_COLUMNS) {
    const value = row[column];
    fields[column] = typeof value === 'boolean' ? Number(value) : typeof value === 'object' ? encode(value) : value;
  }
  return fields;
}

const encode = (value: Observed | null): string | null => (value === null ? null : JSON.stringify(value));

/** All interfaces as a JSON array, for statements that also read other tables; interfacesFrom reads it. */
export const interfacesJson = (order: string): string =>
  `(SELECT json_group_array(json_object(${INTERFACE_COLUMNS.map((column) => `'${column}', ${column}`).join(', ')}))
      FROM (SELECT * FROM interface ORDER BY ${order}))`;

export const interfacesFrom = (json: string): NetworkInterface[] => (JSON.parse(json) as Row[]).map(interfaceFromRow);

/** Physical ones first, each followed by its VLANs in order of their number. */
export const READING_ORDER = 'coalesce(parent_interface, name), kind, vlan_id, name';

/** Every interface, in reading order. */
export async function loadInterfaces(db: Database): Promise<NetworkInterface[]> {
  const rows = await db.all(
    `SELECT ${INTERFACE_COLUMNS.join(', ')} FROM interface
     ORDER BY ${READING_ORDER}`,
  );
  return rows.map(interfaceFromRow);
}

export const interfaceExists = async (db: Database, name: string): Promise<boolean> =>
  (await db.one('SELECT 1 AS yes FROM interface WHERE name = ?', [name])) !== undefined;

/**
 * From so many on, what is found out about each row is remembered by it: an edit of one leaves the others as they are. Of few rows it
 * costs more: the rows of each request, and what came with them, would stay until the whole heap is collected.
 */
export const MANY_ROWS = 64;
