// From desired state to dnsmasq's DHCP files. Ranges and interfaces are in the configuration, which only a restart
// reads; options and reservations are in two files that a reload reads again.
import { addressOf, networkOf, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { NO_GATEWAY } from '../../../platform/interfaces/refresh/snapshot.ts';
import { path, quoted } from '../directives.ts';
import { DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE, LEASES_FILE } from '../files.ts';
import { digestText } from '../sentinel.ts';
import {
  type DhcpDesired,
  type ServedOption,
  type ServedReservation,
  type ServedScope,
  scopeFinder,
} from './desired.ts';

/** Leases, at most; dnsmasq's own default is 1000. */
const LEASES_MOST = 65_536;
/** User class of the appliance's own probe, which alone gets the digests. */
export const PROBE_CLASS = 'groundcrew-probe';
/** Seconds between router advertisements, and for which a router counts after the last one (RFC 4861). */
const ADVERTISED_EVERY = 600;
const ROUTER_FOR = 1800;

export interface DigestCodes {
  /** Option with the digest of the configuration. */
  conf: number;
  /** Option with the digest of the files that a reload reads. */
  files: number;
}

const PRIVATE_CODES = { ipv4: [224, 254], ipv6: [65_001, 65_535] } as const;

/** The two highest codes for private use (RFC 3942) that no operator uses. */
export function digestCodes(options: readonly ServedOption[], family: ServedOption['address_family']): DigestCodes {
  const used = new Set(options.filter((one) => one.address_family === family).map(({ code }) => code));
  const [least, most] = PRIVATE_CODES[family];
  const free: number[] = [];
  for (let code: number = most; code >= least && free.length < 2; code -= 1) if (!used.has(code)) free.push(code);
  const [conf = most, files = most - 1] = free;
  return { conf, files };
}

const familiesOf = ({ scopes }: DhcpDesired) =>
  (['ipv4', 'ipv6'] as const).filter((family) => scopes.some(({ address_family }) => address_family === family));

/** One option as dnsmasq writes it, without the directive. IPv6 options have a prefix. */
const optionOf = (family: ServedOption['address_family'], code: number, value: string): string =>
  `${family === 'ipv6' ? 'option6:' : ''}${code}${value === '' ? '' : `,${value}`}`;

const digestOption = (family: ServedOption['address_family'], code: number, digest: string): string =>
  `tag:${PROBE_CLASS},${optionOf(family, code, quoted(digest))}`;

/** Lines that send the configuration's own digest to the probe's user class. */
export function confDigestLines(dhcp: DhcpDesired, digest: string): string[] {
  return familiesOf(dhcp).map(
    (family) => `dhcp-option=${digestOption(family, digestCodes(dhcp.options, family).conf, digest)}`,
  );
}

/** Directives of the configuration; `resolve` turns an appliance path into the path that the daemon will see. */
export function dhcpLines(dhcp: DhcpDesired, resolve: (path: string) => string): string[] {
  const scopeOf = scopeFinder(dhcp.scopes);
  return [
    `dhcp-leasefile=${path(resolve(LEASES_FILE))}`,
    `dhcp-hostsfile=${path(resolve(DHCP_HOSTS_FILE))}`,
    `dhcp-optsfile=${path(resolve(DHCP_OPTIONS_FILE))}`,
    `dhcp-lease-max=${LEASES_MOST}`,
    `dhcp-userclass=set:${PROBE_CLASS},${PROBE_CLASS}`,
    ...(dhcp.authoritative ? ['dhcp-authoritative'] : []),
    ...dhcp.scopes.flatMap(scopeLines),
    ...advertisementLines(dhcp.scopes),
    // After those of the scopes: dnsmasq searches from the end.
    ...dhcp.reservations.flatMap((reservation) => ownDomainLines(reservation, scopeOf)),
  ];
}

function maskOf(prefix: number): string {
  return addressOf(4, ((1n << BigInt(prefix)) - 1n) << BigInt(32 - prefix))!.text;
}

function scopeLines(scope: ServedScope): string[] {
  const { id, address_family, subnet_cidr, ranges, lease_time, domain, server } = scope;
  const subnet = parseCidr(subnet_cidr)!;
  const size = address_family === 'ipv4' ? maskOf(subnet.prefix) : `${subnet.prefix}`;
  const first = subnet.address.text;
  // Without a range dnsmasq still has to know the subnet, for its reservations.
  const spans = ranges.length > 0 ? ranges.map(({ start, end }) => `${start},${end}`) : [`${first},static`];
  const carried = server === null ? null : parseCidr(server);
  const inside = carried !== null && carried.address.value >= subnet.first && carried.address.value <= subnet.last;
  return [
    ...spans.map((span) => `dhcp-range=set:${id},${span},${size},${lease_time}`),
    // A subnet without the server's own address: without this line dnsmasq would not serve it on the link.
    ...(carried && !inside ? [`shared-network=${carried.address.text},${first}`] : []),
    ...(domain === '' ? [] : [`domain=${domain},${networkOf(subnet)}`]),
  ];
}

/**
 * Router advertisements tell IPv6 hosts that there is DHCP. They name the appliance as router only where it is the
 * gateway of a scope: IPv6 can't advertise another machine.
 */
function advertisementLines(scopes: readonly ServedScope[]): string[] {
  const router = new Map<string, boolean>();
  for (const { address_family, interface: on, gateway, server } of scopes) {
    if (address_family !== 'ipv6') continue;
    const own = server !== null && gateway === parseCidr(server)?.address.text;
    router.set(on, own || router.get(on) === true);
  }
  if (router.size === 0) return [];
  const params = [...router].map(([on, own]) => `ra-param=${on},${ADVERTISED_EVERY},${own ? ROUTER_FOR : 0}`);
  return ['enable-ra', ...params];
}

type ScopeOf = (address: string) => ServedScope | null;

function split(hostname: string): [label: string, domain: string] {
  const dot = hostname.indexOf('.');
  return dot < 0 ? [hostname, ''] : [hostname.slice(0, dot), hostname.slice(dot + 1)];
}

/** The domain of a single address, whose full name is in another domain than its scope's. */
function ownDomainLines({ hostname, ip_address }: ServedReservation, scopeOf: ScopeOf): string[] {
  const [, domain] = split(hostname);
  if (domain === '' || domain === scopeOf(ip_address)?.domain) return [];
  return [`domain=${domain},${ip_address},${ip_address}`];
}

/** Names that dnsmasq would read as a lease time or a keyword. */
const AMBIGUOUS = /^(?:\d+[smhdw]?|infinite|ignore)$/;

/** Name of a reservation, in full where its domain is known; null where dnsmasq would read something else. */
function nameFor({ hostname, ip_address }: ServedReservation, scopeOf: ScopeOf): string | null {
  if (hostname.includes('.')) return hostname;
  const domain = scopeOf(ip_address)?.domain ?? '';
  if (domain !== '') return `${hostname}.${domain}`;
  return AMBIGUOUS.test(hostname) ? null : hostname;
}

/** One reservation as dnsmasq writes it. */
function hostOf(reservation: ServedReservation, scopeOf: ScopeOf): string {
  const { mac_address, ip_address } = reservation;
  const name = nameFor(reservation, scopeOf);
  return [mac_address, bracketed(ip_address), ...(name === null ? [] : [name])].join(',');
}

const bracketed = (text: string): string => (parseAddress(text)?.family === 6 ? `[${text}]` : text);

/**
 * Gateway, servers and domain of a scope. Without these options dnsmasq would name itself as router and name server; an
 * empty option prevents that. IPv6 has no option for a router; dnsmasq sends the domain of IPv4 itself.
 */
function memberOptions(scope: ServedScope, namesServed: boolean): ServedOption[] {
  const { id, address_family, gateway, dns_servers, ntp_servers, domain } = scope;
  const option = (code: number, value: string): ServedOption => ({ scope_id: id, address_family, code, value });
  const list = (code: number, values: readonly string[], empty: boolean) =>
    values.length > 0 || empty ? [option(code, values.map(bracketed).join(','))] : [];
  if (address_family === 'ipv4') {
    return [
      option(3, gateway === NO_GATEWAY ? '' : gateway),
      ...list(6, dns_servers, namesServed),
      ...list(42, ntp_servers, false),
    ];
  }
  return [
    ...list(23, dns_servers, namesServed),
    ...(domain === '' ? [] : [option(24, domain)]),
    ...list(56, ntp_servers, false),
  ];
}

/** Options in the order of their file, each with the line that it makes. */
export function optionLines(dhcp: DhcpDesired, namesServed: boolean): { option: ServedOption; line: string }[] {
  const all = [...dhcp.scopes.flatMap((scope) => memberOptions(scope, namesServed)), ...dhcp.options];
  return all.map((option) => {
    const tag = option.scope_id === null ? '' : `tag:${option.scope_id},`;
    return { option, line: `${tag}${optionOf(option.address_family, option.code, option.value)}` };
  });
}

export function hostLines({ reservations, scopes }: DhcpDesired): string[] {
  const scopeOf = scopeFinder(scopes);
  return reservations.map((reservation) => hostOf(reservation, scopeOf));
}

const lines = (header: string, all: readonly string[]): string => [header.trimEnd(), ...all, ''].join('\n');

/** The file of reservations, and that of options, which ends with the digest of both: dnsmasq reads it last. */
export function dhcpFiles(dhcp: DhcpDesired, namesServed: boolean, header: string): { hosts: string; options: string } {
  const hosts = lines(header, hostLines(dhcp));
  const body = lines(
    header,
    optionLines(dhcp, namesServed).map(({ line }) => line),
  );
  const digest = digestText(`${hosts}\0${body}`);
  const last = familiesOf(dhcp).map((family) => digestOption(family, digestCodes(dhcp.options, family).files, digest));
  return { hosts, options: `${body}${last.map((line) => `${line}\n`).join('')}` };
}

/** The digest in a rendered file, with its option; null for a family that is not served. */
export function toldDigest(content: string, family: ServedOption['address_family'], code: number): string | null {
  const head = `tag:${PROBE_CLASS},${optionOf(family, code, '"')}`;
  const at = content.lastIndexOf(head);
  return at < 0 ? null : content.slice(at + head.length, content.indexOf('"', at + head.length));
}
