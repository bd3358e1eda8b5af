// From desired state to dnsmasq's files. Addresses live in a hosts file that a reload (SIGHUP) re-reads without
// interruption; everything else lives in the configuration, which only a restart reads.
import type { RenderedFile } from '../../host/host.ts';
import type { DnsDhcpDesired, ListenInterface } from './desired.ts';
import { directiveFor, path, quoted } from './directives.ts';
import { CONF_FILE, HOSTS_FILE, PID_FILE } from './files.ts';
import type { RecordData } from './record-data.ts';
import { CONF_SENTINEL, digestAddress, digestText, HOSTS_SENTINEL, SENTINEL_ZONE } from './sentinel.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

/** Answers come from the managed records or from the named upstream servers, from nowhere else. */
const FIXED = [
  'no-resolv',
  'no-hosts',
  'no-poll',
  // Binds the addresses one by one, and those which appear after the start as soon as they do.
  'bind-dynamic',
  // Plain names and reverse names of private networks that are not managed never leave the appliance.
  'domain-needed',
  'bogus-priv',
  // Tells nobody its version and its cache's figures.
  'no-ident',
];

function listenLines(listen: readonly ListenInterface[]): string[] {
  return listen.flatMap(({ name, addresses, dynamic }) =>
    dynamic ? [`interface=${name}`] : addresses.map((address) => `listen-address=${address}`),
  );
}

/**
 * Naming an interface makes dnsmasq listen on the loopback too. The appliance's own resolver is no business of this
 * unit, and port 53 there may be taken.
 */
function loopbackLines(listen: readonly ListenInterface[]): string[] {
  return listen.some((link) => link.dynamic) ? ['except-interface=lo'] : [];
}

function dnsLines({ settings, listen, zones, records }: DnsDhcpDesired): string[] {
  return [
    ...listenLines(listen),
    ...loopbackLines(listen),
    ...settings.upstream_servers.map((server) => `server=${server}`),
    `cache-size=${settings.cache_size}`,
    `local-ttl=${settings.ttl_seconds}`,
    ...(settings.domain ? [`domain=${settings.domain}`] : []),
    // Asynchronous, so that a slow log never delays an answer.
    ...(settings.log_queries ? ['log-queries', 'log-async=25'] : []),
    // A name of a managed zone that has no record is "no such name" and is never forwarded.
    ...zones.map((zone) => `local=/${zone}/`),
    `local=/${SENTINEL_ZONE}/`,
    ...records.flatMap((record) => directiveFor(record) ?? []),
  ];
}

/**
 * The hosts file: one line an address with all of its names. dnsmasq takes the first name of an address for the
 * reverse record; records are sorted, so that this is the name that sorts first.
 */
function renderHosts(records: readonly RecordData[]): string {
  const byAddress = new Map<string, string>();
  for (const { fqdn, type, value } of records) {
    if (type !== 'A' && type !== 'AAAA') continue;
    const names = byAddress.get(value);
    byAddress.set(value, names === undefined ? fqdn : `${names} ${fqdn}`);
  }
  const lines: string[] = [];
  for (const [address, names] of byAddress) lines.push(`${address} ${names}\n`);
  const body = HEADER + lines.join('');
  return `${body}${digestAddress(body)} ${HOSTS_SENTINEL}\n`;
}

function renderConf(desired: DnsDhcpDesired, resolve: (path: string) => string): string {
  const lines = [
    ...FIXED,
    `pid-file=${path(resolve(PID_FILE))}`,
    `addn-hosts=${path(resolve(HOSTS_FILE))}`,
    ...dnsLines(desired),
  ];
  const body = `${HEADER}${lines.join('\n')}\n`;
  return `${body}txt-record=${CONF_SENTINEL},${quoted(digestText(body))}\n`;
}

/** The unit's files; none while the service is off. */
export function render(desired: DnsDhcpDesired, resolve: (path: string) => string): RenderedFile[] {
  if (!desired.settings.enabled) return [];
  return [
    { path: CONF_FILE, content: renderConf(desired, resolve), mode: 0o644 },
    { path: HOSTS_FILE, content: renderHosts(desired.records), mode: 0o644 },
  ];
}
