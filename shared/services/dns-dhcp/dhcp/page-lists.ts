// Lists of pages: reservations by any part of a name or address, with their records; and the options that apply to a
// scope.

import { build } from '../../../ground/store/builder.ts';
import type { Database, Row } from '../../../ground/store/database.ts';
import type { Page } from '../../../ground/store/pagination.ts';
import { type AddressFamily, OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import { columnsOf, itemOf, listItems } from '../../../platform/units/collection-store.ts';
import { type DhcpOption, dhcpOptions } from './options.ts';
import { type DhcpReservation, dhcpReservations } from './reservations.ts';

export interface ReservationSearch {
  /** Part of a host name, a MAC address (with colons or hyphens) or an IP address; empty: all. */
  search: string;
  /** A member, `-` before it for descending. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** By host name, or by the column that is asked for. @throws Problem 400 for a cursor of another list. */
export const searchReservations = (
  db: Database,
  { search, ...page }: ReservationSearch,
): Promise<Page<DhcpReservation>> =>
  listItems(db, dhcpReservations, {
    ...page,
    search: [...new Set([search.trim(), search.trim().replaceAll('-', ':')])],
  });

export interface KeptRecord {
  id: string;
  fqdn: string;
}

const RECORDS = `SELECT owner_ref, id, fqdn FROM dns_record
  WHERE owner_source = ? AND owner_ref IN (SELECT value FROM json_each(?))`;

/** Records that reservations own: id of the reservation → record. */
export async function recordsOf(db: Database, ids: readonly string[]): Promise<Map<string, KeptRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<KeptRecord & { owner_ref: string }>(RECORDS, [OWNER.reservation, JSON.stringify(ids)]);
  return new Map(rows.map(({ owner_ref, id, fqdn }) => [owner_ref, { id, fqdn }]));
}

/** Options of a list, at most. */
const MOST = 500;

/** Options of a scope, and those for every scope of its family. Null: options for every scope, of both families. */
export async function optionsFor(
  db: Database,
  scope: { id: string; address_family: AddressFamily } | null,
): Promise<DhcpOption[]> {
  const list = build<Row>('dhcp_option')
    .select(build.raw(columnsOf(dhcpOptions)))
    .orderByRaw('scope_id IS NULL, address_family, code');
  if (scope === null) list.whereNull('scope_id');
  else list.whereRaw('(scope_id = ? OR (scope_id IS NULL AND address_family = ?))', [scope.id, scope.address_family]);
  const rows = await db.all<Row>(list.limit(MOST));
  return rows.map((row) => itemOf(dhcpOptions, row));
}
