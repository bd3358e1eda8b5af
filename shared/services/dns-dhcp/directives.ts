// dnsmasq's configuration language: quoting, and the directive of each record type that is not an address.
// Its parser reads lines of at most 1024 bytes and cuts longer ones in two, hence the limit below.
import type { RecordData, RecordType } from './dns/record-data.ts';

export const MAX_LINE = 1000;
const TXT_STRING = 255;

/** A value in quotes, where commas, `#` and blanks have no meaning. Only for printable ASCII. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A path, quoted where it needs to be. */
export function path(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoted(text);
}

function strings(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += TXT_STRING) parts.push(quoted(text.slice(at, at + TXT_STRING)));
  return parts.join(',');
}

type Directive = (fqdn: string, value: string) => string;

/** Addresses are no directives: they are in the hosts file, which a reload reads again. */
const DIRECTIVES: Record<Exclude<RecordType, 'A' | 'AAAA'>, Directive> = {
  CNAME: (fqdn, value) => `cname=${fqdn},${value}`,
  TXT: (fqdn, value) => `txt-record=${fqdn},${strings(value)}`,
  SRV: (fqdn, value) => {
    const [priority, weight, port, target] = value.split(' ');
    return `srv-host=${fqdn},${target},${port},${priority},${weight}`;
  },
  MX: (fqdn, value) => {
    const [preference, exchange] = value.split(' ');
    return `mx-host=${fqdn},${exchange},${preference}`;
  },
  CAA: (fqdn, value) => {
    const [flags, tag] = value.split(' ', 2);
    return `caa-record=${fqdn},${flags},${tag},${quoted(value.slice(value.indexOf('"') + 1, -1))}`;
  },
  // Has precedence over the reverse record of an address: dnsmasq looks here first.
  PTR: (fqdn, value) => `ptr-record=${fqdn},${value}`,
};

/** The configuration line of a canonical record; null for an address. */
export function directiveFor(record: RecordData): string | null {
  return record.type === 'A' || record.type === 'AAAA' ? null : DIRECTIVES[record.type](record.fqdn, record.value);
}
