// The appliance's own networks, for services that answer only those.
import { networkOf, parseCidr } from '../../ground/addresses/address.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { scopesInForce } from '../../platform/interfaces/refresh/refresh.ts';
import type { Snapshot } from '../../platform/interfaces/refresh/snapshot.ts';
import { type Standing, standingIn, standings } from '../../platform/interfaces/refresh/standing.ts';

/**
 * Link-local IPv6, which is never routed (RFC 4291 2.5.6): a host with such an address is on a link of the appliance.
 */
const LINK_LOCAL = 'fe80::/10';

/** Networks of an interface. For an address that the network gives, the one that the host last reported. */
function onLink(row: NetworkInterface, { networks }: Standing): string[] {
  const v4 = row.ipv4_method === 'dhcp' ? (row.observed?.ipv4_cidrs ?? []) : [networks.ipv4?.text ?? ''];
  const dynamic6 = row.ipv6_enabled && row.ipv6_cidr === '';
  const v6 = dynamic6 ? (row.observed?.ipv6_cidrs ?? []) : [networks.ipv6?.text ?? ''];
  return [...v4, ...v6, ...(row.ipv6_enabled ? [LINK_LOCAL] : [])];
}

/** Subnets of enabled scopes, which may be wider than the interface's own network. */
function served(snapshot: Snapshot): string[] {
  const document = snapshot.services.find(({ key }) => key === 'dhcp')?.document;
  if (document?.enabled !== true) return [];
  return scopesInForce(snapshot).flatMap(({ enabled, subnet_cidr }) => (enabled ? subnet_cidr : []));
}

/** Networks of all interfaces in use, also of those that only route, and subnets of DHCP. Sorted. */
export function ownNetworks(interfaces: readonly NetworkInterface[], snapshot: Snapshot): string[] {
  const all = standings(interfaces);
  const used = interfaces.filter(({ name }) => standingIn(all, name).on);
  const texts = [...used.flatMap((row) => onLink(row, standingIn(all, row.name))), ...served(snapshot)];
  const cidrs = texts.flatMap((text) => parseCidr(text) ?? []);
  return [...new Set(cidrs.map(networkOf))].sort();
}
