// The flat view of the desired state: what a plan compares and shows.
import type { Entries } from '../../platform/units/unit.ts';
import type { DnsDhcpDesired } from './desired.ts';
import { dhcpEntries } from './dhcp/entries.ts';

/** Prefix of the keys of records: `record <fqdn> <type>`. */
export const RECORD_KEY = 'record ';

const orNone = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '));

/** Setting → value in an operator's words: the name service, then DHCP, which says nothing while it is off. */
export function entries(desired: DnsDhcpDesired): Entries {
  const view = nameEntries(desired);
  const { settings, listen, dhcp } = desired;
  const answered = settings.enabled ? new Set(listen.map(({ name }) => name)) : null;
  for (const [key, value] of dhcp ? dhcpEntries(dhcp, answered) : []) view.set(key, value);
  return view;
}

/**
 * Records of one name and type share a key, their values one a line (no value
 * contains a line break, so that different records never read alike). While the service is off there is nothing else
 * to say: edits of records then change nothing on the appliance.
 */
function nameEntries(desired: DnsDhcpDesired): Map<string, string> {
  const { settings } = desired;
  if (!settings.enabled) return new Map([['name service', 'off']]);
  const view = new Map<string, string>([
    ['name service', 'on'],
    ['upstream servers', orNone(settings.upstream_servers)],
    ['time to live', `${settings.ttl_seconds} s`],
    ['cache size', `${settings.cache_size}`],
    ['search domain', settings.domain || 'none'],
    ['query log', settings.log_queries ? 'on' : 'off'],
  ]);
  for (const { name, addresses, dynamic } of desired.listen) {
    view.set(`listens on ${name}`, orNone(dynamic ? ['address by DHCP', ...addresses] : addresses));
  }
  for (const zone of desired.zones) view.set(`zone ${zone}`, 'served');
  let lastKey = '';
  let lastValue = '';
  for (const { fqdn, type, value } of desired.records) {
    const key = `${RECORD_KEY}${fqdn} ${type}`;
    // Records are sorted, so that those of one key are neighbours.
    lastValue = key === lastKey ? `${lastValue}\n${value}` : value;
    lastKey = key;
    view.set(key, lastValue);
  }
  return view;
}
