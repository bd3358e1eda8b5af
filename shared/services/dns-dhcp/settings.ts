// Settings of the DNS half of the unit.

import * as v from 'valibot';
import { isLoopback, isUnicast, parseAddress } from '../../ground/addresses/address.ts';
import { pagePath } from '../../ground/page-paths.ts';
import type { SavedSettings, UnitSettings } from '../../platform/units/settings.ts';
import { domainName, flag, listenInterfaces, networksOrWords, whole } from '../../platform/units/settings-schemas.ts';
import { settingsOf as settingsIn } from '../../platform/units/settings-store.ts';

const PORT = /^[1-9]\d{0,4}$/;

/** `192.0.2.1`, `2001:db8::1` or either with `#port`, canonical; null when no server could have the address. */
export function canonicalServer(text: string): string | null {
  const [host = '', port, ...more] = text.trim().split('#');
  const address = parseAddress(host);
  if (!address || !isUnicast(address) || isLoopback(address) || more.length > 0) return null;
  if (port === undefined || port === '53') return address.text;
  return PORT.test(port) && Number(port) <= 65535 ? `${address.text}#${port}` : null;
}

const unique = <T>(items: T[]): boolean => new Set(items).size === items.length;

const Server = v.pipe(
  v.string(),
  v.check(
    (text) => canonicalServer(text) !== null,
    'Must be an IP address of another machine, with an optional #port; loopback and unspecified are refused.',
  ),
  v.transform((text) => canonicalServer(text) ?? text),
);

const MEMBERS = {
  enabled: flag('Whether the name service runs.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  allowed_clients: networksOrWords(
    'Networks whose clients may send queries, also for names outside the local zones. Empty: only the appliance’s own networks. `localnets` adds the own networks to others in the list; `any` admits everybody who reaches a listener.',
  ),
  upstream_servers: v.pipe(
    v.array(Server),
    v.maxLength(16),
    v.check(unique, 'Names a server twice.'),
    v.description(
      'Asked for names outside the managed zones, as `address` or `address#port`; none: such names are refused.',
    ),
  ),
  // dnsmasq has no time to live of single records.
  ttl_seconds: whole(0, 86_400, 'Time to live of every record; default 300.'),
  cache_size: whole(0, 100_000, 'Answers of upstream servers kept in memory; 0 keeps none.'),
  domain: domainName('Default search domain; empty for none.'),
  log_queries: flag('Writes every query to the system log.'),
  statistics: flag(
    'Answers to questions about the server itself (class CHAOS), from which metrics take counts of queries and the cache. Every client may ask them, and for the version of dnsmasq too. Default false: such questions are refused.',
  ),
};

/** The full document. */
export const DnsDhcpSettingsSchema = v.strictObject(MEMBERS);

export type DnsDhcpSettings = v.InferOutput<typeof DnsDhcpSettingsSchema>;
export type SavedDnsDhcpSettings = SavedSettings<DnsDhcpSettings>;

export const DNS_DHCP_DEFAULTS: DnsDhcpSettings = {
  enabled: false,
  listen_interfaces: [],
  allowed_clients: [],
  upstream_servers: [],
  ttl_seconds: 300,
  cache_size: 1000,
  domain: '',
  log_queries: false,
  statistics: false,
};

export const dnsDhcpSettings: UnitSettings<typeof MEMBERS> = {
  key: 'dns-dhcp',
  unit: 'dns-dhcp',
  component: 'DnsDhcp',
  tag: 'DNS/DHCP',
  name: 'the name service',
  resource: 'dns',
  path: '/api/v1/dns-dhcp',
  page: pagePath('dns-settings'),
  schema: DnsDhcpSettingsSchema,
  example: {
    enabled: true,
    listen_interfaces: ['ens224', 'ens256.20'],
    allowed_clients: ['localnets', '198.51.100.0/24'],
    upstream_servers: ['203.0.113.53', '2001:db8::53'],
    domain: 'lab.test',
  },
  defaults: DNS_DHCP_DEFAULTS,
  faults: ({ upstream_servers }, own) =>
    upstream_servers.flatMap((server, at) =>
      own.has(server.replace(/#.*$/, ''))
        ? [{ pointer: `/upstream_servers/${at}`, detail: 'Is an address of this appliance: it would ask itself.' }]
        : [],
    ),
  listens: 'required',
  describes:
    'Upstream servers are addresses of other machines, with an optional `#port`. The appliance’s own networks are those of all interfaces that are enabled and in use, whatever their role and whether or not the service listens there, and the subnets of enabled DHCP scopes while DHCP is on. Where an address comes by DHCP or router advertisement, the network that the host last reported counts. They follow every edit of an interface. Networks behind another router must be named. A list without `localnets` leaves the own networks out. The firewall enforces the list: while it is off, everybody is answered. Programs on the appliance itself are always answered. What the DHCP service does is set at its own settings and scopes.',
};

/** The settings of a stored document, as text or parsed. */
export const settingsOf = (document: string | object | null | undefined): DnsDhcpSettings =>
  settingsIn(dnsDhcpSettings, document);
