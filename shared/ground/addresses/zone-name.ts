// Names in the name service: which may be a zone, the managed zone of a name, and the reverse trees.

import { invalid } from '../problems.ts';
import { canonicalName, endsInNumber, isDomainName, nameFault } from './domain-name.ts';

export { canonicalName, endsInNumber, isDomainName, nameFault };

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

/** The longest zone that contains the name; null for none. */
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
