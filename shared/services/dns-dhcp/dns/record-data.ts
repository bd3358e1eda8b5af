// Record data: for each type, what an operator may write and the one form in which it is stored. Canonical data is
// printable ASCII and fits one configuration line, so that no accepted value can become a directive.
import { isLinkLocal, isUnicast, parseAddress } from '../../../ground/addresses/address.ts';
import { canonicalName, endsInNumber, isReverseName, nameFault } from '../../../ground/addresses/zone-name.ts';
import { type FieldError, invalid } from '../../../ground/problems.ts';
import { directiveFor, MAX_LINE } from '../directives.ts';

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'SRV', 'MX', 'CAA', 'PTR'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface RecordData {
  fqdn: string;
  type: RecordType;
  value: string;
}

/** A fault in words, thrown inside the table and turned into a Problem with a pointer. */
class Fault extends Error {}

function need(condition: boolean, detail: string): asserts condition {
  if (!condition) throw new Fault(detail);
}

const PRINTABLE = /^[\x20-\x7e]*$/;

function name(text: string, labels: 'host' | 'service' = 'host'): string {
  const canonical = canonicalName(text);
  const fault = nameFault(canonical, labels);
  need(fault === null, fault ?? '');
  return canonical;
}

/** A target that may also be `.`: "there is no such service" (RFC 2782) or "takes no mail" (RFC 7505). */
const nameOrNone = (text: string): string => (text === '.' ? '.' : name(text));

function number(text: string, maximum: number, what: string): number {
  need(/^\d{1,5}$/.test(text) && Number(text) <= maximum, `${what} is a whole number from 0 to ${maximum}.`);
  return Number(text);
}

function address(text: string, family: 4 | 6): string {
  const parsed = parseAddress(text);
  need(
    parsed?.family === family,
    family === 4
      ? 'Must be an IPv4 address such as 192.0.2.10.'
      : 'Must be an IPv6 address such as 2001:db8::10, without zone, and not one that wraps an IPv4 address.',
  );
  need(isUnicast(parsed), 'Must be an address that another machine can have: not loopback, multicast or reserved.');
  need(family === 4 || !isLinkLocal(parsed), 'A link-local address means nothing without its link.');
  return parsed.text;
}

function fields(text: string, count: number, shape: string): string[] {
  const parts = text.split(/\s+/);
  need(parts.length === count, `Must be "${shape}".`);
  return parts;
}

function text(value: string): string {
  need(value !== '', 'The text is missing.');
  need(PRINTABLE.test(value), 'Must consist of printable ASCII characters on one line.');
  need(!value.startsWith('"'), 'Write the text itself, without the quotes of a zone file.');
  return value;
}

function service(value: string): string {
  const [priority = '', weight = '', port = '', target = ''] = fields(value, 4, 'priority weight port target');
  return [
    number(priority, 65535, 'The priority'),
    number(weight, 65535, 'The weight'),
    number(port, 65535, 'The port'),
    nameOrNone(target),
  ].join(' ');
}

function exchange(value: string): string {
  const [preference = '', host = ''] = fields(value, 2, 'preference exchange');
  return `${number(preference, 65535, 'The preference')} ${nameOrNone(host)}`;
}

const CAA = /^(\d{1,3})\s+([A-Za-z0-9]{1,15})\s+(?:"([^"]*)"|([^"\s]+))$/;

function authority(value: string): string {
  const match = CAA.exec(value);
  need(match !== null, 'Must be: flags tag "value", for example: 0 issue "ca.example.net".');
  const [, flags = '', tag = '', quoted, bare = ''] = match;
  const property = (quoted ?? bare).trim();
  need(property !== '', 'The value is missing; write ";" to forbid every authority.');
  need(
    PRINTABLE.test(property) && !property.includes('\\'),
    'The value is printable ASCII without quotes and backslashes.',
  );
  need(property.length <= 255, 'The value has at most 255 characters.');
  return `${number(flags, 255, 'The flags value')} ${tag.toLowerCase()} "${property}"`;
}

function serviceOwner(fqdn: string): string {
  const canonical = name(fqdn, 'service');
  need(/^_[^.]+\._[^.]+\./.test(canonical), 'An SRV record is named _service._protocol.domain.');
  return canonical;
}

function reverseOwner(fqdn: string): string {
  const canonical = name(fqdn);
  need(isReverseName(canonical), 'A PTR record is named after one whole address below in-addr.arpa or ip6.arpa.');
  return canonical;
}

function plainOwner(fqdn: string): string {
  const canonical = name(fqdn);
  need(
    !/(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(canonical),
    'Below in-addr.arpa and ip6.arpa there are only PTR records.',
  );
  return canonical;
}

interface RecordRule {
  owner(fqdn: string): string;
  value(value: string): string;
}

const anyOwner = (fqdn: string): string => name(fqdn, 'service');

const RULES: Record<RecordType, RecordRule> = {
  A: { owner: plainOwner, value: (value) => address(value, 4) },
  AAAA: { owner: plainOwner, value: (value) => address(value, 6) },
  CNAME: { owner: anyOwner, value: (value) => name(value, 'service') },
  TXT: { owner: anyOwner, value: text },
  SRV: { owner: serviceOwner, value: service },
  MX: { owner: plainOwner, value: exchange },
  CAA: { owner: plainOwner, value: authority },
  PTR: { owner: reverseOwner, value: (value) => name(value) },
};

const POINTING: ReadonlySet<RecordType> = new Set(['CNAME', 'SRV', 'MX', 'PTR']);

/** A target is a name (RFC 1035 3.3, RFC 2782): clients would look an address up as a name, which does not exist. */
function needNamedTarget(value: string): void {
  const target = canonicalName(value.slice(value.search(/\S+$/)));
  const address = parseAddress(target.replace(/^\[(.*)\]$/, '$1')) !== null;
  const detail = 'The target must be a host name, not an address: give the host an A or AAAA record and name that.';
  need(!address, detail);
  need(!endsInNumber(target), 'The name of a target must not end in a number: it would be read as an address.');
}

/** Null for what can't be read; its fault is added to `faults`. */
function pointed(pointer: string, faults: FieldError[], run: () => string): string | null {
  try {
    return run();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    faults.push({ pointer, detail: fault.message });
    return null;
  }
}

/** Type in any case → canonical, or null. */
export function recordType(text: string): RecordType | null {
  const upper = text.trim().toUpperCase();
  return RECORD_TYPES.find((type) => type === upper) ?? null;
}

/**
 * The one stored form of a record; idempotent. Names in lower case without trailing dot, addresses canonical, SRV
 * `priority weight port target`, MX `preference exchange`, CAA `flags tag "value"`, TXT the text itself (what is longer
 * than 255 bytes is served as several strings, which readers join).
 * The target of a `saved` value need not be a name: earlier releases accepted addresses, which are still served.
 * @throws Problem 422 with pointer `/type`, `/fqdn` or `/value`.
 */
export function canonicalRecord(
  record: { fqdn: string; type: string; value: string },
  of: 'new' | 'saved' = 'new',
): RecordData {
  const type = recordType(record.type);
  if (!type) throw invalid({ pointer: '/type', detail: `Must be one of ${RECORD_TYPES.join(', ')}.` });
  const faults: FieldError[] = [];
  const fqdn = pointed('/fqdn', faults, () => RULES[type].owner(record.fqdn));
  const value = pointed('/value', faults, () => {
    if (of === 'new' && POINTING.has(type)) needNamedTarget(record.value.trim());
    const canonical = RULES[type].value(record.value.trim());
    const line = fqdn === null ? null : directiveFor({ fqdn, type, value: canonical });
    need(line === null || line.length <= MAX_LINE, 'The record is too long for dnsmasq; about 900 characters fit.');
    return canonical;
  });
  if (fqdn === null || value === null) throw invalid(...faults);
  return { fqdn, type, value };
}
