// The networks that count as the appliance's own where a service answers those alone.
import { networkOf, parseCidr } from '../../ground/addresses/address.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { scopesInForce } from '../../platform/interfaces/refresh/refresh.ts';
import type { Snapshot } from '../../platform/interfaces/refresh/snapshot.ts';
import { type Standing, standingIn, standings } from '../../platform/interfaces/refresh/standing.ts';

/** Where every IPv6 host has an address. It is never routed (RFC 4291 2.5.6), so that whoever has it is on a link of ours. */
const LINK_LOCAL = 'fe80::/10';

/** Of an address that the network gives, the network that the host last reported: it is known no sooner. */
function onLink(row: NetworkInterface, { networks }: Standing): string[] {
  const v4 = row.ipv4_method === 'dhcp' ? (row.observed?.ipv4_cidrs ?? []) : [networks.ipv4?.text ?? ''];
  const dynamic6 = row.ipv6_enabled && row.ipv6_cidr === '';
  const v6 = dynamic6 ? (row.observed?.ipv6_cidrs ?? []) : [networks.ipv6?.text ?? ''];
  return [...v4, ...v6, ...(row.ipv6_enabled ? [LINK_LOCAL] : [])];
}

/** What enabled scopes serve: clients are told their subnet, also one that is wider than the interface's own network. */
function served(snapshot: Snapshot): string[] {
  const document = snapshot.services.find(({ key }) => key === 'dhcp')?.document;
  if (document?.enabled !== true) return [];
  return scopesInForce(snapshot).flatMap(({ enabled, subnet_cidr }) => (enabled ? subnet_cidr : []));
}

/** On-link networks of all interfaces in use, those that only route among them, and what DHCP serves. Sorted. */
export function ownNetworks(interfaces: readonly NetworkInterface[], snapshot: Snapshot): string[] {
  const all = standings(interfaces);
  const used = interfaces.filter(({ name }) => standingIn(all, name).on);
  const texts = [...used.flatMap((row) => onLink(row, standingIn(all, row.name))), ...served(snapshot)];
  const cidrs = texts.flatMap((text) => parseCidr(text) ?? []);
  return [...new Set(cidrs.map(networkOf))].sort();
}
