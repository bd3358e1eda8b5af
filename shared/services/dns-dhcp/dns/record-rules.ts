// Rules across records: which may share a name, and which aliases dnsmasq can serve. All pure; each answers a sentence
// for the operator or null.
import { zoneOf } from '../../../ground/addresses/zone-name.ts';
import type { RecordData, RecordType } from './record-data.ts';

/** The conflict of a record with another of the same name; null when there is none. */
function beside(record: RecordData, other: RecordData): string | null {
  if (record.type === other.type && record.value === other.value) return 'The same record exists already.';
  if (other.type === 'CNAME')
    return 'The name is an alias already, and an alias has no other records (RFC 1034 3.6.2).';
  if (record.type === 'CNAME') return 'The name has other records already, so it cannot be an alias (RFC 1034 3.6.2).';
  if (record.type === 'PTR' && other.type === 'PTR')
    return 'The address has a reverse record already; it has only one.';
  return null;
}

/**
 * Why a canonical record cannot be saved beside the others of its name, or null. `existingAtSameName` must leave out
 * the record itself when it is being edited; `zoneName` is the zone that it goes to.
 */
export function recordConflicts(
  record: RecordData,
  existingAtSameName: readonly { type: string; value: string }[],
  zoneName?: string | null,
): string | null {
  if (record.type === 'CNAME' && record.value === record.fqdn) return 'An alias cannot point at itself.';
  if (record.type === 'CNAME' && record.fqdn === zoneName) return 'The name of a zone itself cannot be an alias.';
  for (const other of existingAtSameName) {
    const conflict = beside(record, { fqdn: record.fqdn, type: other.type as RecordType, value: other.value });
    if (conflict) return conflict;
  }
  return null;
}

/**
 * Why an alias cannot be served, or null. dnsmasq follows an alias only to names of its own. For any other target it
 * answers the CNAME alone, which most clients read as "no address".
 */
export function aliasTargetFault(record: RecordData, zoneNames: Iterable<string>): string | null {
  if (record.type !== 'CNAME' || zoneOf(record.value, zoneNames) !== null) return null;
  return 'The target of an alias must be in a managed zone: dnsmasq does not follow aliases to names outside of it.';
}

/**
 * The managed zone that a record belongs to, or null. A reverse record belongs to its reverse zone when that one is
 * managed, otherwise to the zone of the name that it points at.
 */
export function zoneOfRecord(record: RecordData, zoneNames: Iterable<string>): string | null {
  const zones = zoneNames instanceof Set ? (zoneNames as ReadonlySet<string>) : new Set(zoneNames);
  return zoneOf(record.fqdn, zones) ?? (record.type === 'PTR' ? zoneOf(record.value, zones) : null);
}

/** Names of aliases in a circle: dnsmasq would not start with them. */
export function aliasLoops(aliases: ReadonlyMap<string, string>): string[] {
  const looping: string[] = [];
  const settled = new Set<string>();
  for (const start of aliases.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !settled.has(at) && !seen.has(at)) {
      seen.add(at);
      at = aliases.get(at);
    }
    if (at !== undefined && seen.has(at)) looping.push(at);
    for (const name of seen) settled.add(name);
  }
  return looping;
}
