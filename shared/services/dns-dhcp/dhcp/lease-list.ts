// Current leases, read from the file of the running daemon, each with whether its address is reserved.
import * as v from 'valibot';
import { parseAddress } from '../../../ground/addresses/address.ts';
import { canonicalName } from '../../../ground/addresses/domain-name.ts';
import { parseMac } from '../../../ground/addresses/mac-address.ts';
import { type Clock, instant } from '../../../ground/clock.ts';
import type { Host } from '../../../ground/machine/host.ts';
import { component, described, listOf, text } from '../../../ground/schemas/component.ts';
import type { Database } from '../../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../../ground/store/pagination.ts';
import type { AddressFamily } from '../../../platform/interfaces/refresh/snapshot.ts';
import { LEASES_FILE } from '../files.ts';
import { KnownLeases, placeOf } from './known-leases.ts';
import type { Lease } from './leases.ts';
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
  host: Pick<Host, 'read' | 'stamp'>;
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
  const { reserved: wanted, limit } = query;
  // Where reservations are no filter, only those of the page are asked for.
  const { sought, total } = await soughtLeases(host, clock, query, wanted === undefined ? limit + 1 : Infinity);
  const addresses = JSON.stringify(sought.map(({ ip_address }) => ip_address));
  const rows = sought.length === 0 ? [] : await db.all<{ ip_address: string }>(RESERVED, [addresses]);
  const reserved = new Set(rows.map(({ ip_address }) => ip_address));
  const rest = wanted === undefined ? sought : sought.filter(({ ip_address }) => reserved.has(ip_address) === wanted);
  const page = pageOf(
    rest.slice(0, limit + 1),
    limit,
    ({ ip_address }) => [ip_address],
    (lease) => viewOf(lease, reserved),
  );
  return { ...page, total };
}

/** By host: the file as it was read last. */
const known = new WeakMap<object, KnownLeases>();

/** Milliseconds after which a change has another time than the one before: more than the clock of any file system takes to go on. */
const SETTLED = 1_000;

/** Null: the file has to be read. */
async function settledStamp({ host, clock }: Shell): Promise<string | null> {
  const stamp = (await host.stamp?.(LEASES_FILE)) ?? null;
  return stamp !== null && clock.now().getTime() - stamp.changed_at >= SETTLED ? stamp.text : null;
}

/** The first `most` of those that match, from the cursor on, and how many there are in all. */
async function soughtLeases(
  host: Shell['host'],
  clock: Clock,
  query: LeaseQuery,
  most: number,
): Promise<{ sought: Lease[]; total: number }> {
  const [after] = query.cursor ? decodeCursor(query.cursor, 1) : [];
  const last = after === undefined ? null : parseAddress(String(after));
  const leases = known.get(host) ?? new KnownLeases();
  known.set(host, leases);
  const stamp = await settledStamp({ host, clock });
  if (!leases.isOf(stamp)) leases.read(await readLeaseText(host), stamp);
  const living = leases.livingAt(clock.now().getTime() / 1000);
  const matches = matcher(query);
  const sought: Lease[] = [];
  for (let at = last === null ? 0 : placeOf(living, last, true); at < living.length && sought.length < most; at++) {
    const { lease } = living[at]!;
    if (matches(lease)) sought.push(lease);
  }
  return { sought, total: living.length };
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

/** Looks at what is asked for, and at nothing else. */
function matcher(query: LeaseQuery): (lease: Lease) => boolean {
  const { address_family, ip_address, mac_address, hostname, search = '' } = query;
  const tests: ((lease: Lease) => boolean)[] = [];
  if (address_family !== undefined) tests.push((lease) => lease.address_family === address_family);
  if (ip_address !== undefined) {
    const ip = parseAddress(ip_address.trim())?.text ?? ip_address;
    tests.push((lease) => lease.ip_address === ip);
  }
  if (mac_address !== undefined) {
    const mac = parseMac(mac_address) ?? mac_address;
    tests.push((lease) => lease.mac_address === mac);
  }
  if (hostname !== undefined) {
    const name = canonicalName(hostname);
    tests.push((lease) => lease.hostname.toLowerCase() === name);
  }
  const sought = search.trim().toLowerCase();
  const hexadecimal = sought.replaceAll('-', ':');
  if (sought !== '') {
    tests.push(
      ({ ip_address: ip, hostname: name, mac_address: mac, client_id }) =>
        ip.includes(sought) ||
        name.toLowerCase().includes(sought) ||
        mac?.includes(hexadecimal) === true ||
        client_id?.includes(hexadecimal) === true,
    );
  }
  return (lease) => tests.every((test) => test(lease));
}
