// Reading interfaces one by one and as filtered lists, for the API.
import { notFound } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Row } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { INTERFACE_COLUMNS, interfaceFromRow, type NetworkInterface, RETIRED_ROLES, type Role } from './interface.ts';

const ONE = `SELECT ${INTERFACE_COLUMNS.join(', ')} FROM interface WHERE kind = ? AND id = ?`;

/** @throws Problem 404 */
export async function findPhysical(database: Database, name: string): Promise<NetworkInterface> {
  const row = await database.one(ONE, ['physical', name]);
  if (!row) throw notFound('This interface');
  return interfaceFromRow(row);
}

/** @throws Problem 404 */
export async function findVlan(database: Database, id: string): Promise<NetworkInterface> {
  const row = await database.one(ONE, ['vlan', id]);
  if (!row) throw notFound('This VLAN');
  return interfaceFromRow(row);
}

/** Of either kind; null: there is none. */
export async function interfaceNamed(database: Database, name: string): Promise<NetworkInterface | null> {
  const row = await database.one(`SELECT ${INTERFACE_COLUMNS.join(', ')} FROM interface WHERE name = ?`, [name]);
  return row ? interfaceFromRow(row) : null;
}

export interface InterfaceQuery {
  name?: string | undefined;
  mac_address?: string | undefined;
  parent_interface?: string | undefined;
  vlan_id?: number | undefined;
  role?: Role | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Physical interfaces by name. @throws Problem 400 for a foreign cursor. */
export async function listPhysical(database: Database, query: InterfaceQuery): Promise<Page<NetworkInterface>> {
  const list = filtered('physical', query).orderBy('name');
  if (query.mac_address) list.where('mac_address', query.mac_address.trim().toLowerCase().replaceAll('-', ':'));
  if (query.cursor) list.where('name', '>', decodeCursor(query.cursor, 1)[0]!);
  const rows = await database.all(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, (row) => [row.name!], interfaceFromRow);
}

/** VLANs by parent and number. @throws Problem 400 for a foreign cursor. */
export async function listVlans(database: Database, query: InterfaceQuery): Promise<Page<NetworkInterface>> {
  const list = filtered('vlan', query).orderBy(['parent_interface', 'vlan_id']);
  if (query.parent_interface) list.where('parent_interface', query.parent_interface);
  if (query.vlan_id !== undefined) list.where('vlan_id', query.vlan_id);
  if (query.cursor) {
    const [parent, number] = decodeCursor(query.cursor, 2);
    list.whereRaw('(parent_interface, vlan_id) > (?, ?)', [parent!, number!]);
  }
  const rows = await database.all(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, (row) => [row.parent_interface!, row.vlan_id!], interfaceFromRow);
}

function filtered(kind: string, { name, role }: InterfaceQuery) {
  const list = build<Row>('interface')
    .select(...INTERFACE_COLUMNS)
    .where('kind', kind);
  if (name) list.where('name', name);
  if (role) list.whereIn('role', spellingsOf(role));
  return list;
}

/** A role as it may be stored: an older release wrote others for some. */
function spellingsOf(role: Role): string[] {
  return [role, ...[...RETIRED_ROLES].flatMap(([retired, means]) => (means === role ? [retired] : []))];
}

/** For the search: `begins` makes the condition for a column; ?3 is the most rows. */
export const foundInterfaces = (
  kind: NetworkInterface['kind'],
  id: 'name' | 'id',
  begins: (column: string) => string,
): string => `SELECT ${id} AS id, name, trim(ipv4_cidr || ' ' || ipv6_cidr) AS fact FROM interface
  WHERE kind = '${kind}' AND (${['name', 'ipv4_cidr', 'ipv6_cidr', 'mac_address'].map(begins).join(' OR ')}
    OR EXISTS (SELECT 1 FROM json_tree(observed) WHERE ${begins('atom')} AND type = 'text'))
  ORDER BY name LIMIT ?3`;
