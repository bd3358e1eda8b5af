// Where subnets and the addresses in them go when an interface gets another network: by host offset, never by guess.
import {
  type Address,
  type Cidr,
  formatAddress,
  hostOffset,
  parseCidr,
  sameNetwork,
  withOffset,
} from '../../../ground/addresses/address.ts';

/** The network of a prefix length around an address value; null where no network may be (IPv4-mapped IPv6). */
function networkAround(family: Cidr['family'], value: bigint, prefix: number): Cidr | null {
  const hostBits = BigInt((family === 4 ? 32 : 128) - prefix);
  return parseCidr(`${formatAddress(family, (value >> hostBits) << hostBits)}/${prefix}`);
}

/** The network of a CIDR with host bits. */
const networkIn = (cidr: Cidr): Cidr | null => networkAround(cidr.family, cidr.first, cidr.prefix);

/**
 * Where a subnet goes when its interface goes from one network to another; null when it does not fit there.
 * - As wide as the interface's network: it becomes the new network, with its prefix length.
 * - A part of it: the same part of the new network, with its own prefix length.
 * - Wider, or somewhere else (stale, after another machine's interface took the name): the network of its own prefix
 *   length around the new address; where it is as wide as the old network, the new one itself.
 */
export function rebasedSubnet(subnet: Cidr, from: Cidr, to: Cidr): Cidr | null {
  const { family, prefix } = subnet;
  const inside = subnet.first >= from.first && subnet.last <= from.last;
  const around = subnet.first <= from.first && subnet.last >= from.last;
  if (sameNetwork(from, to) && (inside || around)) return subnet;
  if (prefix === from.prefix) return networkIn(to);
  if (!inside) return networkAround(family, to.address.value, prefix);
  const first = to.first + (subnet.first - from.first);
  const moved = networkAround(family, first, prefix);
  return moved?.first === first && moved.last <= to.last ? moved : null;
}

/** The address at the same distance from the start of another subnet; null when that is no host address there. */
export function rebasedAddress(address: Address, from: Cidr, to: Cidr): Address | null {
  const offset = hostOffset(from, address);
  return offset === null ? null : withOffset(to, offset);
}
