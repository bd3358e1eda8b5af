// Where a client comes from, for everything that counts what one of them takes or tries.
import { isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from './address.ts';

/** The address of a socket, without the mapping of IPv4 into IPv6 and without a zone. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').split(/[%/]/, 1)[0]!;
}

/** Who counts together: an IPv4 address, or the /64 of IPv6, in which a machine takes what addresses it likes. */
export const sourceNetwork = (address: string): string => networkOf(address, 64);

/** The same, with the /48 of IPv6, which is what one customer of a provider or a tunnel broker gets. */
export const siteNetwork = (address: string): string => networkOf(address, 48);

/** What is no address stays as it is. */
function networkOf(address: string, bits: number): string {
  const plain = plainAddress(address);
  const parsed = isIPv6(plain) ? parseAddress(plain) : null;
  const rest = BigInt(128 - bits);
  return parsed ? `${formatAddress(6, (parsed.value >> rest) << rest)}/${bits}` : plain;
}
