// Finds values of DHCP options that dnsmasq would refuse. It knows the type of some codes, and guesses that of others
// from the value. Pure.
import { parseAddress } from '../../../ground/addresses/address.ts';
import { isDomainName } from '../../../ground/addresses/domain-name.ts';
import type { AddressFamily } from '../../../platform/interfaces/refresh/snapshot.ts';

/** Codes whose value is addresses (RFC 2132, RFC 5859; RFC 3646, RFC 3898, RFC 4075). */
const ADDRESSES: Record<AddressFamily, ReadonlySet<number>> = {
  ipv4: new Set([7, 9, 16, 21, 28, 32, 33, 41, 44, 45, 48, 49, 65, 68, 69, 70, 71, 74, 150]),
  ipv6: new Set([22, 27, 28]),
};
/** Codes whose value is domain names, which dnsmasq encodes (RFC 3397; RFC 3319, RFC 3646, RFC 3898, RFC 4280). */
const DOMAINS: Record<AddressFamily, ReadonlySet<number>> = {
  ipv4: new Set([119]),
  ipv6: new Set([21, 24, 29, 30, 33]),
};
/** Codes whose value dnsmasq encodes as a structure: a bare number is refused. */
const STRUCTURED = new Set([43, 52, 56, 57, 81, 118]);

const LOOKS_LIKE: Record<AddressFamily, RegExp> = { ipv4: /^[\d.,/ ]*[.,][\d.,/ ]*$/, ipv6: /^\[/ };
const NAME = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** The text as dnsmasq reads it, without quotes; or the fault of its quotes or comments. */
function unquoted(value: string): { text: string } | { fault: string } {
  let text = '';
  for (let at = 0; at < value.length; at += 1) {
    if (value[at] === '"') {
      const quoted = /^"(?:\\["\\tnebr]|\\(?!["\\tnebr])|[^"\\])*"/.exec(value.slice(at))?.[0];
      if (quoted === undefined) return { fault: 'A quotation mark is not closed.' };
      text += quoted.slice(1, -1);
      at += quoted.length;
      if (at >= value.length) break;
    }
    if (value[at] === '#' && value[at - 1] === ' ') return { fault: 'A # after a blank starts a comment: quote it.' };
    // After a closing quotation mark it is an ordinary character.
    text += value[at];
  }
  return { text };
}

function isAddress(family: AddressFamily, item: string): boolean {
  const bare = family === 'ipv4' ? item.replace(/\/(?:\d|[12]\d|3[0-2])$/, '') : item.replace(/^\[(.*)\]$/, '$1');
  return parseAddress(bare)?.family === (family === 'ipv4' ? 4 : 6);
}

/** The fault of the value, as a sentence; null when it has none. */
export function optionValueFault(family: AddressFamily, code: number, value: string): string | null {
  const read = unquoted(value);
  if ('fault' in read) return read.fault;
  const items = read.text.split(',').map((item) => item.trim());
  const meant = ADDRESSES[family].has(code) || LOOKS_LIKE[family].test(read.text);
  if (meant && !items.every((item) => isAddress(family, item))) {
    return `Must be ${NAME[family]} addresses, separated by commas.`;
  }
  if (DOMAINS[family].has(code) && !items.every(isDomainName)) {
    return 'Must be domain names, separated by commas.';
  }
  return family === 'ipv4' && STRUCTURED.has(code) && /^\d+$/.test(read.text) ? 'Must not be a bare number.' : null;
}
