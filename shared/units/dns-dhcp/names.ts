// Domain names: what may be a name, which managed zone a name lies in, and the reverse trees.
import { invalid } from '../../operation/problems.ts';

const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Service labels and the like (RFC 8552) begin with an underscore; Active Directory also has zones of such names. */
const SERVICE_LABEL = /^_?[a-z0-9](?:[a-z0-9_-]{0,60}[a-z0-9])?$/;

const MAX_NAME = 253;

/** Lower case, without surrounding white space and without the trailing dot. */
export function canonicalName(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

/** What is wrong with a canonical name as an owner or target, in words; null when nothing is. */
export function nameFault(name: string, labels: 'host' | 'service'): string | null {
  if (name === '') return 'A name is missing.';
  if (name.length > MAX_NAME) return 'A name has at most 253 characters.';
  if (name.includes('*')) {
    return 'Wildcard names are not supported: dnsmasq would also answer for names that have other records.';
  }
  for (const label of name.split('.')) {
    if (label === '') return 'A name must not have an empty label.';
    if (label.length > 63) return 'A label of a name has at most 63 characters.';
    if (HOST_LABEL.test(label)) continue;
    if (labels === 'service' && SERVICE_LABEL.test(label)) continue;
    if (label.includes('_') && labels === 'host') return 'A host name must not contain an underscore.';
    return 'A label consists of letters, digits and inner hyphens; write an internationalised name in its xn-- form.';
  }
  return null;
}

export function isDomainName(name: string): boolean {
  return nameFault(name, 'service') === null && !/(?:^|\.)\d+$/.test(name);
}

/** Names with a meaning of their own (RFC 6761, RFC 6303), on which no zone of ours may sit. */
const RESERVED = new Set(['arpa', 'in-addr.arpa', 'ip6.arpa', 'invalid', 'localhost']);

/**
 * Canonical zone name.
 * @throws Problem 422 with pointer `/name`.
 */
export function canonicalZone(text: string): string {
  const name = canonicalName(text);
  const top = name.slice(name.lastIndexOf('.') + 1);
  const reserved = RESERVED.has(name) || top === 'invalid' || top === 'localhost';
  const detail =
    nameFault(name, 'service') ??
    (reserved ? 'This name is reserved and cannot be a zone.' : null) ??
    (isDomainName(name) ? null : 'A zone name must not end in a number.');
  if (detail) throw invalid({ pointer: '/name', detail });
  return name;
}

/** The longest of the zones that the name lies in, or null. */
export function zoneOf(name: string, zones: Iterable<string>): string | null {
  const known = zones instanceof Set ? (zones as ReadonlySet<string>) : new Set(zones);
  for (let rest: string | null = name; rest !== null; rest = parentOf(rest)) if (known.has(rest)) return rest;
  return null;
}

function parentOf(name: string): string | null {
  const dot = name.indexOf('.');
  return dot < 0 ? null : name.slice(dot + 1);
}

const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const REVERSE = new RegExp(`^(?:(?:${OCTET}\\.){4}in-addr\\.arpa|(?:[0-9a-f]\\.){32}ip6\\.arpa)$`);

/** Whether a canonical name is the reverse name of exactly one address. */
export function isReverseName(name: string): boolean {
  return REVERSE.test(name);
}
