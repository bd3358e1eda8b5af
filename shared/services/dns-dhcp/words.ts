// What people read of the unit's facts. The colon can't be part of a scope's name.
import { onOff, orNone, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { DnsDhcpFacts, DnsFacts } from './facts.ts';

const FAMILY = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

const DNS: WordsOf<DnsFacts> = {
  names: (_name, on) => ['name service', onOff(on)],
  upstream: (_name, servers) => ['upstream servers', orNone(servers)],
  ttl: (_name, seconds) => ['time to live', `${seconds} s`],
  cache: (_name, size) => ['cache size', `${size}`],
  domain: (_name, domain) => ['search domain', domain || 'none'],
  query_log: (_name, on) => ['query log', onOff(on)],
  statistics: (_name, on) => ['statistics', onOff(on)],
  listen: (name, { addresses, dynamic }) => [
    `listens on ${name}`,
    orNone(dynamic ? ['address by DHCP', ...addresses] : addresses),
  ],
  zone: (name) => [`zone ${name}`, 'served'],
  record: (name, values) => [`record ${name}`, values],
};

export const WORDS: WordsOf<DnsDhcpFacts> = {
  ...DNS,
  dhcp: () => ['DHCP service', 'on'],
  authoritative: (_name, on) => ['DHCP authority', on ? 'answers every client' : 'answers its own clients only'],
  dhcp_listen: (name, { addresses, names }) => [
    `listens on ${name} for DHCP`,
    `${orNone(addresses)}${names ? ', answers names there too' : ''}`,
  ],
  scope: (name, { subnet, interface: on }) => [`scope ${name}`, `${subnet} on ${on}`],
  scope_ranges: (name, ranges) => [
    `scope ${name}: addresses`,
    ranges.map((range) => range.replace('-', '–')).join(', ') || 'reservations only',
  ],
  scope_gateway: (name, gateway) => [`scope ${name}: gateway`, gateway || 'none'],
  scope_dns: (name, servers) => [`scope ${name}: DNS servers`, orNone(servers)],
  scope_ntp: (name, servers) => [`scope ${name}: NTP servers`, orNone(servers)],
  scope_lease: (name, seconds) => [`scope ${name}: lease time`, `${seconds} s`],
  scope_domain: (name, domain) => [`scope ${name}: domain`, domain || 'none'],
  option: (_name, { code, family, scope, value }) => [
    `DHCP option ${code} (${FAMILY[family]}) of ${scope === null ? 'every scope' : `scope ${scope}`}`,
    value.join(','),
  ],
  reservation: (name, { mac, hostname }) => [`reservation ${name}`, `${mac} ${hostname}`],
};
export const words = viewOf(WORDS);
