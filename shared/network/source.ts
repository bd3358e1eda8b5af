// Where a client comes from, for everything that counts what one of them takes or tries.
import { isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from './address.ts';

/** An address as a socket tells it, without the mapping of IPv4 into IPv6 and without a zone. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0]!;
}

/** Who counts together: an IPv4 address, or the /64 of IPv6, in which a machine takes what addresses it likes. */
export function sourceNetwork(address: string): string {
  const plain = plainAddress(address);
  const parsed = isIPv6(plain) ? parseAddress(plain) : null;
  return parsed ? `${formatAddress(6, (parsed.value >> 64n) << 64n)}/64` : plain;
}
