// The unit as facts, which a plan compares: the name service, then DHCP. A half that is off has none.
import { type Data, type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { DnsDhcpDesired } from './desired.ts';
import { addDhcp, type DhcpFacts } from './dhcp/facts.ts';

export type DnsFacts = {
  /** Whether the name service is on. */
  names: boolean;
  upstream: string[];
  /** Seconds. */
  ttl: number;
  cache: number;
  /** Search domain; empty for none. */
  domain: string;
  query_log: boolean;
  /** Only there where they are on. */
  statistics: true;
  /** By interface. */
  listen: { addresses: string[]; dynamic: boolean };
  /** By name: served. */
  zone: true;
  /** By `<name> <type>`: the values of records that share them, one a line, since no value contains a line break. */
  record: string;
};
export type DnsDhcpFacts = DnsFacts & DhcpFacts;

export const dnsDhcp = factsOf<DnsDhcpFacts>();

export function facts(desired: DnsDhcpDesired): Facts {
  const { settings, listen, dhcp } = desired;
  const { facts: found, add } = dnsDhcp.list();
  add('names', settings.enabled);
  // While the service is off, edits of records change nothing on the appliance.
  if (settings.enabled) addNames(desired, add, found);
  const answered = settings.enabled ? new Set(listen.map(({ name }) => name)) : null;
  if (dhcp) addDhcp(dhcp, answered, add);
  return found;
}

export type Add = ReturnType<typeof dnsDhcp.list>['add'];

function addNames({ settings, listen, zones, records }: DnsDhcpDesired, add: Add, found: Map<string, Data>): void {
  add('upstream', settings.upstream_servers);
  add('ttl', settings.ttl_seconds);
  add('cache', settings.cache_size);
  add('domain', settings.domain);
  add('query_log', settings.log_queries);
  if (settings.statistics) add('statistics', true);
  for (const { name, addresses, dynamic } of listen) add('listen', { addresses, dynamic }, name);
  for (const zone of zones) add('zone', true, zone);
  let lastKey = '';
  let lastValue = '';
  for (const { fqdn, type, value } of records) {
    const key = `record ${fqdn} ${type}`;
    // Records are sorted, so that those of one key are neighbours.
    lastValue = key === lastKey ? `${lastValue}\n${value}` : value;
    lastKey = key;
    found.set(key, lastValue);
  }
}

const FOLLOWING: ReadonlySet<string> = new Set<keyof DnsDhcpFacts>(['listen', 'dhcp_listen']);
export const follows = ({ kind }: Difference): boolean => FOLLOWING.has(kind);

/**
 * Facts from the state that the release before facts stored: it remembered the desired state without the records, whose
 * words were `record <name> <type>` → values. Of a change under way it remembered nothing; only its reservations are
 * needed, `reservation <address>` → `<MAC> <host name>`.
 */
export function fromWords(words: ReadonlyMap<string, string>, remembered: DnsDhcpDesired | null): Facts {
  const records = [...words].filter(([setting]) => setting.startsWith('record '));
  const reservations = [...words].flatMap(([setting, value]): [string, Data][] => {
    const [mac = '', hostname = ''] = value.split(' ');
    return setting.startsWith('reservation ') ? [[setting, { mac, hostname }]] : [];
  });
  const known = remembered ? [...facts({ ...remembered, records: [] })] : [];
  // Records go after the zones and before DHCP.
  const at = known.findIndex(([kind]) => kind === 'dhcp');
  return new Map<string, Data>([...known.toSpliced(at < 0 ? known.length : at, 0, ...records), ...reservations]);
}
