// The DHCP half as facts.
import { parseCidr } from '../../../ground/addresses/address.ts';
import { type AddressFamily, NO_GATEWAY } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { Add } from '../facts.ts';
import type { DhcpDesired, ServedScope } from './desired.ts';

export type DhcpFacts = {
  /** Exists while DHCP is on. */
  dhcp: true;
  authoritative: boolean;
  /** By interface. `names`: DNS answers there too, though it is not among its interfaces. */
  dhcp_listen: { addresses: string[]; names: boolean };
  /** By name, like the other facts of a scope. */
  scope: { subnet: string; interface: string };
  /** `<address>` or `<first>-<last>`. */
  scope_ranges: string[];
  /** Empty for none. */
  scope_gateway: string;
  scope_dns: string[];
  scope_ntp: string[];
  /** Seconds. */
  scope_lease: number;
  /** Empty for none. */
  scope_domain: string;
  /** By code, family and scope; null: every scope. The value is split at its commas. */
  option: { code: number; family: AddressFamily; scope: string | null; value: string[] };
  /** By address. */
  reservation: { mac: string; hostname: string };
};

const OTHERS: ReadonlySet<string> = new Set<keyof DhcpFacts>(['authoritative', 'option', 'reservation']);
/** Of the facts of the unit, whether one is of this half. */
export const isDhcpFact = (kind: string): boolean => /^(?:dhcp|scope)/.test(kind) || OTHERS.has(kind);

/** `answered`: interfaces on which the name service is meant to answer, or null while it is off. */
export function addDhcp(dhcp: DhcpDesired, answered: ReadonlySet<string> | null, add: Add): void {
  add('dhcp', true);
  add('authoritative', dhcp.authoritative);
  for (const [name, addresses] of serving(dhcp)) {
    // One daemon has both halves: DNS also answers wherever DHCP serves.
    add('dhcp_listen', { addresses, names: answered !== null && !answered.has(name) }, name);
  }
  for (const scope of dhcp.scopes) addScope(scope, add);
  const names = new Map(dhcp.scopes.map(({ id, name }) => [id, name]));
  for (const { scope_id, address_family: family, code, value } of dhcp.options) {
    const scope = scope_id === null ? null : (names.get(scope_id) ?? scope_id);
    const name = `${code} ${family}${scope === null ? '' : ` ${scope}`}`;
    add('option', { code, family, scope, value: value.split(',') }, name);
  }
  for (const { ip_address, mac_address, hostname } of dhcp.reservations)
    add('reservation', { mac: mac_address, hostname }, ip_address);
}

function addScope(scope: ServedScope, add: Add): void {
  const { name, gateway } = scope;
  add('scope', { subnet: scope.subnet_cidr, interface: scope.interface }, name);
  add(
    'scope_ranges',
    scope.ranges.map(({ start, end }) => (start === end ? start : `${start}-${end}`)),
    name,
  );
  add('scope_gateway', gateway === NO_GATEWAY ? '' : gateway, name);
  add('scope_dns', scope.dns_servers, name);
  add('scope_ntp', scope.ntp_servers, name);
  add('scope_lease', scope.lease_time, name);
  add('scope_domain', scope.domain, name);
}

/** Interface → addresses from which DHCP serves it. */
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
