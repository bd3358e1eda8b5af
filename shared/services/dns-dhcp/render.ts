// From desired state to dnsmasq's files. Addresses are in a hosts file, zones and upstream servers in a file of servers:
// a reload (SIGHUP) reads them again without interruption. Everything else is in the configuration, which only a restart
// reads.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { type DnsDhcpDesired, type ListenInterface, servedDhcp } from './desired.ts';
import type { DhcpDesired } from './dhcp/desired.ts';
import { serving } from './dhcp/facts.ts';
import { confDigestLines, dhcpFiles, dhcpLines } from './dhcp/render.ts';
import { takenLines } from './dhcp/taken-names.ts';
import { directiveFor, path, quoted } from './directives.ts';
import type { RecordData } from './dns/record-data.ts';
import { CONF_FILE, DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE, HOSTS_FILE, PID_FILE, SERVERS_FILE } from './files.ts';
import { CONF_SENTINEL, digestAddress, digestText, HOSTS_SENTINEL, SENTINEL_ZONE } from './sentinel.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

/** Answers come from the managed records and the upstream servers of the settings only. */
const FIXED = [
  'no-resolv',
  'no-hosts',
  'no-poll',
  // Binds each address by itself, also addresses that appear after the start.
  'bind-dynamic',
  // Plain names and reverse names of private networks that are not managed never leave the appliance.
  'domain-needed',
  'bogus-priv',
];
/** Does not answer with its version or the figures of its cache. */
const NO_STATISTICS = 'no-ident';

function listenLines(listen: readonly ListenInterface[]): string[] {
  return listen.flatMap(({ name, addresses, dynamic }) =>
    dynamic ? [`interface=${name}`] : addresses.map((address) => `listen-address=${address}`),
  );
}

/**
 * Naming an interface makes dnsmasq listen on the loopback too. That is left to the appliance's own resolver, which may
 * use port 53 there.
 */
function loopbackLines(listen: readonly ListenInterface[]): string[] {
  return listen.some((link) => link.dynamic) ? ['except-interface=lo'] : [];
}

function dnsLines({ settings, listen, records }: DnsDhcpDesired): string[] {
  return [
    ...listenLines(listen),
    ...loopbackLines(listen),
    `cache-size=${settings.cache_size}`,
    `local-ttl=${settings.ttl_seconds}`,
    ...(settings.domain ? [`domain=${settings.domain}`] : []),
    // Asynchronous, so that a slow log never delays an answer.
    ...(settings.log_queries ? ['log-queries', 'log-async=25'] : []),
    `local=/${SENTINEL_ZONE}/`,
    ...records.flatMap((record) => directiveFor(record) ?? []),
  ];
}

/** The file of servers, which takes no other directive. */
function renderServers({ settings, zones }: DnsDhcpDesired): string {
  const lines = [
    ...settings.upstream_servers.map((server) => `server=${server}`),
    // A name of a managed zone that has no record is "no such name" and is never forwarded.
    ...zones.map((zone) => `server=/${zone}/`),
  ];
  return HEADER + lines.map((line) => `${line}\n`).join('');
}

/**
 * The hosts file: one line an address with all of its names. dnsmasq takes the first name of an address for the
 * reverse record; records are sorted, so that this is the name that sorts first. Its sentinel is made of the file of
 * servers too, which the same reload reads.
 */
function renderHosts(records: readonly RecordData[], servers: string): string {
  const byAddress = new Map<string, string>();
  for (const { fqdn, type, value } of records) {
    if (type !== 'A' && type !== 'AAAA') continue;
    const names = byAddress.get(value);
    byAddress.set(value, names === undefined ? fqdn : `${names} ${fqdn}`);
  }
  const lines: string[] = [];
  for (const [address, names] of byAddress) lines.push(`${address} ${names}\n`);
  const body = HEADER + lines.join('');
  return `${body}${digestAddress(`${body}\0${servers}`)} ${HOSTS_SENTINEL}\n`;
}

/** Interfaces of DHCP beside those of DNS, and no DHCP on those of DNS alone. */
function servingLines({ settings, listen }: DnsDhcpDesired, dhcp: DhcpDesired): string[] {
  const answered = settings.enabled ? listen : [];
  const known = new Set(answered.flatMap(({ addresses }) => addresses));
  const served = serving(dhcp);
  return [
    ...[...served.values()]
      .flat()
      .filter((address) => !known.has(address))
      .map((address) => `listen-address=${address}`),
    ...answered.filter(({ name }) => !served.has(name)).map(({ name }) => `no-dhcp-interface=${name}`),
  ];
}

function renderConf(desired: DnsDhcpDesired, resolve: (path: string) => string): string {
  const { enabled, statistics } = desired.settings;
  const dhcp = servedDhcp(desired);
  const lines = [
    ...FIXED,
    ...(enabled && statistics ? [] : [NO_STATISTICS]),
    `pid-file=${path(resolve(PID_FILE))}`,
    ...(enabled
      ? [`addn-hosts=${path(resolve(HOSTS_FILE))}`, `servers-file=${path(resolve(SERVERS_FILE))}`, ...dnsLines(desired)]
      : ['port=0']),
    ...(dhcp ? [...servingLines(desired, dhcp), ...dhcpLines(dhcp, resolve)] : []),
    ...(dhcp && enabled ? takenLines(desired.records, dhcp) : []),
  ];
  const body = `${HEADER}${lines.join('\n')}\n`;
  const digest = digestText(body);
  const told = [
    ...(dhcp ? confDigestLines(dhcp, digest) : []),
    ...(enabled ? [`txt-record=${CONF_SENTINEL},${quoted(digest)}`] : []),
  ];
  return `${body}${told.join('\n')}\n`;
}

/** The unit's files; none while both halves are off. */
export function render(desired: DnsDhcpDesired, resolve: (path: string) => string): RenderedFile[] {
  const { enabled } = desired.settings;
  const dhcp = servedDhcp(desired);
  if (!enabled && !dhcp) return [];
  const file = (path: string, content: string): RenderedFile => ({ path, content, mode: 0o644 });
  const files = [file(CONF_FILE, renderConf(desired, resolve))];
  if (enabled) {
    const servers = renderServers(desired);
    files.push(file(HOSTS_FILE, renderHosts(desired.records, servers)), file(SERVERS_FILE, servers));
  }
  if (dhcp) {
    const { hosts, options } = dhcpFiles(dhcp, enabled, HEADER);
    files.push(file(DHCP_HOSTS_FILE, hosts), file(DHCP_OPTIONS_FILE, options));
  }
  return files;
}
