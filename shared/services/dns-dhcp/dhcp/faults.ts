// Validation of the DHCP half of the desired state, stricter than the daemon's: `dnsmasq --test` does not check
// interfaces, or whether a subnet can be served from them.
import {
  type Cidr,
  contains,
  isUsableHost,
  overlaps,
  parseAddress,
  parseCidr,
} from '../../../ground/addresses/address.ts';
import type { DhcpDesired, ServedScope } from './desired.ts';
import { IPV6_PREFIX_LEAST, outgrows } from './subnet-values.ts';

function placeFault({ name, interface: on, server, address_family, subnet_cidr }: ServedScope): string | null {
  const family = address_family === 'ipv4' ? 'IPv4' : 'IPv6';
  if (server === null) {
    return `Scope ${name} is served on ${on || 'no interface'}, which is missing, switched off or has no static ${family} address.`;
  }
  const [subnet, network] = [parseCidr(subnet_cidr), parseCidr(server)];
  if (!subnet || !network) return `Scope ${name} has no valid subnet.`;
  if (!overlaps(subnet, network)) return `Scope ${name}: ${subnet_cidr} does not overlap ${network.text} of ${on}.`;
  return outgrows(subnet, network) ? `Scope ${name}: ${subnet_cidr} is larger than ${network.text} of ${on}.` : null;
}

function rangeFaults({ name, subnet_cidr, ranges }: ServedScope): string[] {
  const subnet = parseCidr(subnet_cidr);
  if (!subnet) return [];
  return ranges.flatMap(({ start, end }) => {
    const [first, last] = [parseAddress(start), parseAddress(end)];
    const inside = [first, last].every((each) => each && contains(subnet, each) && isUsableHost(subnet, each));
    const ordered = first && last && first.value <= last.value;
    return inside && ordered ? [] : [`Scope ${name}: the range ${start}–${end} is not one of ${subnet_cidr}.`];
  });
}

/** Whether any two subnets share an address: sorted by first address, such subnets are neighbours. */
function someOverlap(subnets: readonly Cidr[]): boolean {
  const inOrder = subnets.toSorted((one, other) => one.family - other.family || (one.first < other.first ? -1 : 1));
  return inOrder.some((subnet, at) => at > 0 && overlaps(inOrder[at - 1]!, subnet));
}

function overlapFaults(scopes: readonly ServedScope[]): string[] {
  const placed = scopes.flatMap(({ name, subnet_cidr }) => {
    const subnet = parseCidr(subnet_cidr);
    return subnet ? [{ name, subnet }] : [];
  });
  // Comparing each subnet with all before it is done only when some overlap.
  if (!someOverlap(placed.map(({ subnet }) => subnet))) return [];
  return placed.flatMap(({ name, subnet }, at) => {
    const other = placed.slice(0, at).find((earlier) => overlaps(earlier.subnet, subnet));
    return other ? [`Scopes ${other.name} and ${name} overlap.`] : [];
  });
}

/** Faults, one line each. */
export function dhcpFaults({ scopes }: DhcpDesired): string[] {
  const short = scopes.filter(
    ({ address_family, subnet_cidr }) =>
      address_family === 'ipv6' && (parseCidr(subnet_cidr)?.prefix ?? 0) < IPV6_PREFIX_LEAST,
  );
  return [
    ...scopes.flatMap((scope) => placeFault(scope) ?? []),
    ...short.map(({ name, subnet_cidr }) => `Scope ${name}: ${subnet_cidr} is larger than /${IPV6_PREFIX_LEAST}.`),
    ...scopes.flatMap(rangeFaults),
    ...overlapFaults(scopes),
  ];
}
