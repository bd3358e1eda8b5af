// Current leases, read from the file of the running daemon, each with whether its address is reserved.
import * as v from 'valibot';
import { type Address, compareAddresses, parseAddress } from '../../../ground/addresses/address.ts';
import { canonicalName } from '../../../ground/addresses/domain-name.ts';
import { parseMac } from '../../../ground/addresses/mac-address.ts';
import { type Clock, instant } from '../../../ground/clock.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { component, described, listOf, text } from '../../../ground/schemas/component.ts';
import type { Database } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import type { AddressFamily } from '../../../platform/interfaces/refresh/snapshot.ts';
import { type Lease, readLeaseFile } from './leases.ts';
import { familySchema } from './members.ts';
import { readLeaseText } from './server.ts';

const leaseSchema = component(
  'DhcpLease',
  v.object({
    ip_address: text('Address that was given out.'),
    address_family: familySchema,
    mac_address: described(v.nullable(v.string()), 'Null over IPv6, where clients name themselves by a DUID.'),
    client_id: described(
      v.nullable(v.string()),
      'Client identifier, over IPv6 the DUID: hexadecimal with colons. Null: the client sent none.',
    ),
    hostname: described(v.string(), 'Empty: the client has no name.'),
    expires_at: described(v.nullable(v.string()), 'RFC 3339 in UTC; null: never.'),
    reserved: described(v.boolean(), 'Whether an enabled reservation is saved for the address.'),
  }),
);
export const leaseListSchema = listOf('DhcpLeaseList', leaseSchema);
export type DhcpLease = v.InferOutput<typeof leaseSchema>;

export interface LeaseQuery {
  limit: number;
  cursor?: string | undefined;
  address_family?: AddressFamily | undefined;
  ip_address?: string | undefined;
  mac_address?: string | undefined;
  hostname?: string | undefined;
  reserved?: boolean | undefined;
  /** Part of a name, a MAC address, a client identifier or an IP address. */
  search?: string | undefined;
}

const RESERVED = `SELECT ip_address FROM dhcp_reservation WHERE enabled = 1
  AND ip_address IN (SELECT value FROM json_each(?))`;

interface Shell {
  host: Pick<Host, 'read'>;
  clock: Clock;
}

/**
 * By address, IPv4 first, without expired leases. One statement.
 * @throws Problem 400 for a cursor of another list.
 */
export async function listLeases(
  db: Database,
  { host, clock }: Shell,
  query: LeaseQuery,
): Promise<Page<DhcpLease> & { total: number }> {
  const now = clock.now().getTime() / 1000;
  const living = (await orderedLeases(host)).filter(({ lease: { expires } }) => expires === 0 || expires > now);
  const [after] = query.cursor ? decodeCursor(query.cursor, 1) : [];
  const last = after === undefined ? null : parseAddress(String(after));
  const wanted = living.filter(
    ({ lease, address }) => (last === null || compareAddresses(address, last) > 0) && matches(lease, query),
  );
  // Where reservations are no filter, only those of the page are asked for.
  const sought = query.reserved === undefined ? wanted.slice(0, query.limit + 1) : wanted;
  const addresses = JSON.stringify(sought.map(({ lease }) => lease.ip_address));
  const rows = sought.length === 0 ? [] : await db.all<{ ip_address: string }>(RESERVED, [addresses]);
  const reserved = new Set(rows.map(({ ip_address }) => ip_address));
  const rest = sought.filter(
    ({ lease }) => query.reserved === undefined || reserved.has(lease.ip_address) === query.reserved,
  );
  const page = pageOf(
    rest.slice(0, query.limit + 1),
    query.limit,
    ({ lease }) => [lease.ip_address],
    ({ lease }) => viewOf(lease, reserved),
  );
  return { ...page, total: living.length };
}

interface Placed {
  lease: Lease;
  address: Address;
}

interface Known {
  text: string;
  byLine: Map<string, Placed>;
  ordered: Placed[];
}

/** By host: the file as it was read last. A server with thousands of leases writes a few lines of it anew. */
const known = new WeakMap<object, Known>();

/** By address, also those that ended. */
async function orderedLeases(host: Shell['host']): Promise<readonly Placed[]> {
  const text = await readLeaseText(host);
  const before = known.get(host);
  if (before?.text === text) return before.ordered;
  const byLine = new Map<string, Placed>();
  for (const line of text.split('\n')) {
    const placed = before?.byLine.get(line) ?? placedOf(line);
    if (placed) byLine.set(line, placed);
  }
  const ordered = [...byLine.values()].sort((one, other) => compareAddresses(one.address, other.address));
  known.set(host, { text, byLine, ordered });
  return ordered;
}

function placedOf(line: string): Placed | null {
  const [lease] = readLeaseFile(line).leases;
  const address = lease && parseAddress(lease.ip_address);
  return address ? { lease, address } : null;
}

function viewOf(lease: Lease, reserved: ReadonlySet<string>): DhcpLease {
  const { ip_address, address_family, mac_address, client_id, hostname, expires } = lease;
  return {
    ip_address,
    address_family,
    mac_address,
    client_id,
    hostname,
    expires_at: expires === 0 ? null : instant(new Date(expires * 1000)),
    reserved: reserved.has(ip_address),
  };
}

function matches(
  lease: Lease,
  { address_family, ip_address, mac_address, hostname, search = '' }: LeaseQuery,
): boolean {
  const { ip_address: ip, mac_address: mac, client_id, hostname: name } = lease;
  if (address_family !== undefined && lease.address_family !== address_family) return false;
  if (ip_address !== undefined && (parseAddress(ip_address.trim())?.text ?? ip_address) !== ip) return false;
  if (mac_address !== undefined && (parseMac(mac_address) ?? mac_address) !== mac) return false;
  if (hostname !== undefined && canonicalName(hostname) !== name.toLowerCase()) return false;
  const sought = search.trim().toLowerCase();
  const hexadecimal = sought.replaceAll('-', ':');
  return (
    sought === '' ||
    ip.includes(sought) ||
    name.toLowerCase().includes(sought) ||
    [mac, client_id].some((identity) => identity?.includes(hexadecimal) === true)
  );
}
