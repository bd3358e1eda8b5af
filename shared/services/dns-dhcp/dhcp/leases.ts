// The lease file of dnsmasq: reading it, and the leases that must end when the desired state changes. dnsmasq itself
// keeps a lease until it expires, even when the reservation of its address has changed.
import { isLease } from '../../../platform/host/dnsmasq-grammar.ts';
import { familyOf } from '../../../platform/interfaces/refresh/change.ts';
import type { AddressFamily } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { Facts } from '../../../platform/units/facts.ts';
import { dnsDhcp } from '../facts.ts';
import { type DhcpDesired, rangeFinder } from './desired.ts';

export interface Lease {
  ip_address: string;
  address_family: AddressFamily;
  /** Null for IPv6, where clients name themselves by an identifier (DUID). */
  mac_address: string | null;
  /** Client identifier of IPv4 where the client sent one; DUID of IPv6. Lower case hex with colons. */
  client_id: string | null;
  /** Empty: the client has no name. */
  hostname: string;
  /** Seconds since 1970; 0: never. */
  expires: number;
  /** Identity association of IPv6. */
  iaid: number | null;
}

export interface LeaseFile {
  leases: Lease[];
  /** The server's own DUID, hex with colons; null before the first start with IPv6. */
  server_duid: string | null;
}

const ETHERNET = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/;
const DUID = 'duid ';
const blank = (text: string | undefined): string => (text === undefined || text === '*' ? '' : text);

/** Skips lines that are no leases: if dnsmasq was taken over, its file may contain anything. */
export function readLeaseFile(text: string): LeaseFile {
  const file: LeaseFile = { leases: [], server_duid: null };
  for (const line of text.split('\n')) {
    if (!isLease(line)) continue;
    if (line.startsWith(DUID)) file.server_duid = line.slice(DUID.length).trim();
    else file.leases.push(...leaseOf(line));
  }
  return file;
}

function leaseOf(line: string): Lease[] {
  const [expiry = '', identity = '', ip_address = '', hostname, client] = line.split(' ');
  if (!/^\d+$/.test(expiry) || ip_address === '') return [];
  const address_family = familyOf(ip_address);
  const v6 = address_family === 'ipv6';
  return [
    {
      ip_address,
      address_family,
      mac_address: !v6 && ETHERNET.test(identity) ? identity : null,
      client_id: blank(client) || null,
      hostname: blank(hostname),
      expires: Number(expiry),
      // `T` marks the association of a temporary address.
      iaid: v6 ? Number(identity.replace(/^T/, '')) : null,
    },
  ];
}

/**
 * The file without the lines of these addresses, and without lines that are no leases, which root does not write. For a
 * stopped daemon: a running one has its own copy.
 */
export function withoutLeases(text: string, addresses: ReadonlySet<string>): string {
  return text
    .split('\n')
    .filter((line) => line === '' || (isLease(line) && !addresses.has(line.split(' ')[2] ?? '')))
    .join('\n');
}

/** The file without these names: a client that had one keeps its address and loses the name. */
export function withoutNames(text: string, taken: ReadonlySet<string>): string {
  return text
    .split('\n')
    .map((line) => {
      const words = line.split(' ');
      const [label = ''] = (words[3] ?? '').toLowerCase().split('.');
      return leaseOf(line).length > 0 && taken.has(label) ? words.with(3, '*').join(' ') : line;
    })
    .join('\n');
}

/**
 * Pure: leases that must not outlive the change: of addresses that are reserved for another machine now, whose
 * reservation was removed or given to another machine, or that are in no range any more.
 */
export function leasesToEnd(leases: readonly Lease[], dhcp: DhcpDesired, before: Facts | null): Lease[] {
  const was = new Map([...dnsDhcp.all(before, 'reservation')].map(([address, { mac }]) => [address, mac]));
  const inRange = rangeFinder(dhcp.scopes);
  const is = new Map(dhcp.reservations.map(({ ip_address, mac_address }) => [ip_address, mac_address]));
  return leases.filter(({ ip_address, mac_address }) => {
    const now = is.get(ip_address);
    const moved = was.has(ip_address) && was.get(ip_address) !== now;
    if (now === undefined) return moved || !inRange(ip_address);
    // An IPv6 lease has no MAC address to compare: it ends whenever the reservation changed, so that the client asks
    // again.
    return mac_address === null ? was.get(ip_address) !== now : mac_address !== now;
  });
}
