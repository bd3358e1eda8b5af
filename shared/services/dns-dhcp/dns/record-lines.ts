// Records that people paste: lines of a zone file or of a hosts file. Pure. A line that can't be read becomes a record
// that the rules refuse, so that it is named together with all other faults.
import { parseAddress, reverseName } from '../../../ground/addresses/address.ts';
import { canonicalName } from '../../../ground/addresses/zone-name.ts';
import type { RecordDraft } from './record-store.ts';

/** Completes a name that was typed beside a zone: relative, unless it is in the zone or ends with a dot. */
export function nameInZone(typed: string, zone: string): string {
  const name = canonicalName(typed);
  if (zone === '' || typed.trim().endsWith('.') || name === zone || name.endsWith(`.${zone}`)) return name;
  if (name === '' || name === '@') return zone;
  const address = parseAddress(name);
  if (address) return reverseName(address);
  return name.endsWith('.arpa') ? name : `${name}.${zone}`;
}

/** In pasted text a name with a dot is a full name, unless all of its labels are those of a service (`_ldap._tcp`). */
function pastedName(typed: string, zone: string): string {
  const whole = typed.includes('.') && !/^(?:_[^.]+\.)*_[^.]+$/.test(typed) && !parseAddress(typed);
  return whole ? canonicalName(typed) : nameInZone(typed, zone);
}

/**
 * Reads lines of `name [ttl] [IN] type value` and of `address name...`, one after the other, from 1. Empty lines and comments have
 * no record; a time to live is ignored, because there is one for all records. Targets may end with a dot or not.
 */
export function* recordLines(text: string, zone: string): Generator<{ line: number; records: RecordDraft[] }> {
  for (let at = 0, line = 1; at <= text.length; line++) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end;
    yield { line, records: recordsOfLine(text.slice(at, next).trim(), zone) };
    at = next + 1;
  }
}

function recordsOfLine(line: string, zone: string): RecordDraft[] {
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return [];
  const [first = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/);
  const address = parseAddress(first);
  if (address && !isZoneLine(names)) {
    const type = address.family === 4 ? 'A' : 'AAAA';
    if (names.length === 0) return [{ fqdn: '', type, value: address.text }];
    return names.map((name) => ({ fqdn: pastedName(name, zone), type, value: address.text }));
  }
  const match = /^(\S+)(?:\s+\d+)?(?:\s+IN(?=\s))?(?:\s+(\S+)(?:\s+(.*))?)?$/i.exec(line);
  const [, name = '', type = '', value = ''] = match ?? [];
  return [{ fqdn: pastedName(name, zone), type, value: dataOf(type, value, zone) }];
}

/** `192.0.2.7 PTR host.lab.test`: an address in place of its reverse name. */
const isZoneLine = (rest: readonly string[]): boolean => /^(?:PTR|IN|\d+)$/i.test(rest[0] ?? '') && rest.length > 1;

/** Zone files quote texts, in several strings when they are long, and write targets relative to the zone. */
function dataOf(type: string, value: string, zone: string): string {
  const upper = type.toUpperCase();
  if (upper === 'TXT' && value.startsWith('"')) {
    return [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1')).join('');
  }
  if (upper === 'CNAME' || upper === 'PTR') return value === '' ? '' : pastedName(value, zone);
  return value;
}
