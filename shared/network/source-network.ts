// Which source addresses are one and the same to whatever counts by address: a machine has one IPv4 address, but takes what
// addresses it likes out of its IPv6 network.
import { isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from './address.ts';

/** An IPv4 address itself (also one in an IPv6 socket), the /64 of an IPv6 address; what is neither stays as it is. */
export const sourceNetwork = (address: string): string => networkOf(address, 64);

/** The same, with the /48 of IPv6, which is what one customer of a provider or a tunnel broker gets. */
export const siteNetwork = (address: string): string => networkOf(address, 48);

function networkOf(address: string, bits: number): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split(/[%/]/, 1);
  const parsed = isIPv6(plain) ? parseAddress(plain) : null;
  const rest = BigInt(128 - bits);
  return parsed ? `${formatAddress(6, (parsed.value >> rest) << rest)}/${bits}` : plain;
}
