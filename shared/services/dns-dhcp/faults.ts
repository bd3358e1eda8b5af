// The unit's own validation of its desired state, stricter than the daemon's: `dnsmasq --test` accepts ports beyond
// 65535, addresses that it can't bind and aliases without a target.
import { Problem } from '../../ground/problems.ts';
import { type DnsDhcpDesired, servedDhcp } from './desired.ts';
import { dhcpFaults } from './dhcp/faults.ts';
import { canonicalRecord, type RecordData } from './dns/record-data.ts';
import { aliasLoops, recordConflicts } from './dns/record-rules.ts';

/** Faults that are named, at most. */
const MOST = 20;

const ADDRESS_LINE = /^[a-z0-9][a-z0-9.-]{0,252} [0-9a-f.:]{2,39}$/;

/**
 * The fault of a record that would not be stored like this today. Of addresses, which are many, only the shape is
 * checked.
 */
function recordFault(record: RecordData): string | null {
  const { fqdn, type, value } = record;
  if (type === 'A' || type === 'AAAA') {
    return ADDRESS_LINE.test(`${fqdn} ${value}`) ? null : `Record ${JSON.stringify(fqdn)} ${type} is not valid.`;
  }
  try {
    const canonical = canonicalRecord(record, 'saved');
    if (canonical.fqdn === fqdn && canonical.value === value) return null;
    return `Record ${fqdn} ${type} is not in its canonical form; save it again.`;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return `Record ${JSON.stringify(fqdn)} ${type}: ${problem.message}`;
  }
}

function listenFaults({ settings, listen }: DnsDhcpDesired): string[] {
  const faults = listen.flatMap(({ name, usable, addresses, dynamic }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the name service listens on it.`];
    return addresses.length > 0 || dynamic ? [] : [`Interface ${name} has no address to listen on.`];
  });
  if (listen.length === 0) faults.push('The name service is on but listens on no interface.');
  const own = new Set(listen.flatMap((link) => link.addresses));
  for (const server of settings.upstream_servers) {
    const [address = ''] = server.split('#');
    if (own.has(address)) faults.push(`The upstream server ${address} is the appliance itself.`);
  }
  return faults;
}

/** Faults of aliases: beside other records, twice at one name, or in a circle. */
function aliasFaults({ records, zones }: DnsDhcpDesired): string[] {
  const aliases = new Map<string, string>();
  for (const { fqdn, type, value } of records) if (type === 'CNAME') aliases.set(fqdn, value);
  if (aliases.size === 0) return [];
  const faults = aliasLoops(aliases).map((name) => `The alias ${name} points back at itself.`);
  const apexes = new Set(zones);
  let previous: RecordData | undefined;
  for (const record of records) {
    // Sorted by name, so that conflicting records are neighbours.
    if (aliases.has(record.fqdn)) {
      const zone = apexes.has(record.fqdn) ? record.fqdn : null;
      const conflict = recordConflicts(record, previous?.fqdn === record.fqdn ? [previous] : [], zone);
      if (conflict && !(record.type === 'CNAME' && record.value === record.fqdn)) {
        faults.push(`Record ${record.fqdn} ${record.type}: ${conflict}`);
      }
    }
    previous = record;
  }
  return faults;
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: DnsDhcpDesired): string[] {
  const dhcp = servedDhcp(desired);
  const faults = dhcp ? dhcpFaults(dhcp) : [];
  if (!desired.settings.enabled) return faults.slice(0, MOST);
  faults.push(...listenFaults(desired), ...aliasFaults(desired));
  for (const record of desired.records) {
    if (faults.length >= MOST) break;
    const fault = recordFault(record);
    if (fault) faults.push(fault);
  }
  return faults.slice(0, MOST);
}

/** Aliases whose target has no record: dnsmasq serves them, without an address. */
export function danglingAliases(names: ReadonlySet<string>, aliases: Iterable<[string, string]>): [string, string][] {
  return [...aliases].filter(([, target]) => !names.has(target));
}
