// The flat view of the DHCP half: what a plan compares and shows.
import { parseCidr } from '../../../ground/addresses/address.ts';
import { NO_GATEWAY } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { DhcpDesired, ServedScope } from './desired.ts';

/** Prefix of the keys of reservations: `reservation <address>` → `<MAC> <host name>`. */
export const RESERVATION_KEY = 'reservation ';
export const DHCP_KEY = 'DHCP service';

const orNone = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '));
const FAMILY = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/**
 * Setting → value in an operator's words. The colon can't be part of a scope's name. `answered`: interfaces on which the
 * name service is meant to answer, or null while it is off.
 */
export function dhcpEntries(dhcp: DhcpDesired, answered: ReadonlySet<string> | null): [string, string][] {
  const view: [string, string][] = [
    [DHCP_KEY, 'on'],
    ['DHCP authority', dhcp.authoritative ? 'answers every client' : 'answers its own clients only'],
  ];
  for (const [name, addresses] of serving(dhcp)) {
    // One daemon has both halves, and it answers names wherever it serves addresses.
    const names = answered === null || answered.has(name) ? '' : ', answers names there too';
    view.push([`listens on ${name} for DHCP`, `${orNone(addresses)}${names}`]);
  }
  const names = new Map(dhcp.scopes.map(({ id, name }) => [id, name]));
  view.push(...dhcp.scopes.flatMap(scopeEntries));
  for (const { scope_id, address_family, code, value } of dhcp.options) {
    const where = scope_id === null ? 'every scope' : `scope ${names.get(scope_id) ?? scope_id}`;
    view.push([`DHCP option ${code} (${FAMILY[address_family]}) of ${where}`, value]);
  }
  for (const { ip_address, mac_address, hostname } of dhcp.reservations) {
    view.push([`${RESERVATION_KEY}${ip_address}`, `${mac_address} ${hostname}`]);
  }
  return view;
}

/** Interface → addresses from which it is served. */
export function serving({ scopes }: DhcpDesired): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { interface: on, server } of scopes) {
    const addresses = found.get(on) ?? [];
    const address = server === null ? undefined : parseCidr(server)?.address.text;
    if (address !== undefined && !addresses.includes(address)) addresses.push(address);
    found.set(on, addresses);
  }
  return found;
}

function scopeEntries(scope: ServedScope): [string, string][] {
  const { name, interface: on, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, lease_time, domain } = scope;
  const given = ranges.map(({ start, end }) => (start === end ? start : `${start}–${end}`));
  const members: [string, string][] = [
    ['addresses', given.length === 0 ? 'reservations only' : given.join(', ')],
    ['gateway', gateway === '' || gateway === NO_GATEWAY ? 'none' : gateway],
    ['DNS servers', orNone(dns_servers)],
    ['NTP servers', orNone(ntp_servers)],
    ['lease time', `${lease_time} s`],
    ['domain', domain || 'none'],
  ];
  return [
    [`scope ${name}`, `${subnet_cidr} on ${on}`],
    ...members.map(([member, value]): [string, string] => [`scope ${name}: ${member}`, value]),
  ];
}
