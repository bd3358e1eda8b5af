// Numbers of the name service and of DHCP: what dnsmasq tells of its cache over DNS (dnsmasq(8), "CHAOS"), and the leases
// in its file. No log is read.
import { type Address, parseAddress } from '../../ground/addresses/address.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { Family } from '../../ground/metrics/exposition.ts';
import type { Facts } from '../../platform/units/facts.ts';
import { readLeases } from './dhcp/server.ts';
import { dnsDhcp } from './facts.ts';
import { dnsQuestion, parsed } from './probe.ts';

/** What dnsmasq counts → how it answered. */
const COUNTED = { 'hits.bind': 'local', 'misses.bind': 'forwarded', 'auth.bind': 'authoritative' } as const;
const CACHE = ['cachesize.bind', 'insertions.bind', 'evictions.bind'];
const QUESTIONS = [...Object.keys(COUNTED), ...CACHE].map((name) => `${name}/TXT/CH`);
const PATIENCE_MS = 5_000;

/** Scopes that are named; the others are left out, so that the series stay bounded. */
export const SCOPES_MOST = 64;

/** `inForce`: facts of the unit as applied. Empty where the name service is off, has no statistics or does not answer. */
export async function dnsMetrics(host: Host, inForce: Facts | null): Promise<Family[]> {
  const [address] = [...dnsDhcp.all(inForce, 'listen')].flatMap(([, { addresses }]) => addresses);
  if (!host.enforces || address === undefined || !dnsDhcp.get(inForce, 'statistics')) return [];
  const args = [dnsQuestion(), '53', address, ...QUESTIONS];
  const { stdout } = await host.exec(process.execPath, args, { timeout: PATIENCE_MS });
  const said = new Map(parsed(stdout).map(({ question, answers }) => [question.split('/')[0]!, Number(answers[0])]));
  const value = (name: string): number[] => (Number.isFinite(said.get(name)) ? [said.get(name)!] : []);
  return [
    {
      name: 'groundcrew_dns_queries',
      type: 'counter',
      help: 'Queries since dnsmasq started, by how it answered: from cache and local zones, forwarded, or as authority.',
      samples: Object.entries(COUNTED).flatMap(([name, result]) =>
        value(name).map((count) => ({ labels: { result }, value: count })),
      ),
    },
    {
      name: 'groundcrew_dns_cache_capacity',
      type: 'gauge',
      help: 'Size of the cache, in entries.',
      samples: value('cachesize.bind').map((size) => ({ value: size })),
    },
    {
      name: 'groundcrew_dns_cache_insertions',
      type: 'counter',
      help: 'Names put into the cache since dnsmasq started.',
      samples: value('insertions.bind').map((count) => ({ value: count })),
    },
    {
      name: 'groundcrew_dns_cache_evictions',
      type: 'counter',
      help: 'Names that left the cache before their time since dnsmasq started: it is too small.',
      samples: value('evictions.bind').map((count) => ({ value: count })),
    },
  ];
}

/**
 * Leases within the ranges of each scope in force, and how many addresses these have. Reservations lie outside of ranges and
 * fill none. Nothing while DHCP is off.
 */
export async function dhcpMetrics(host: Host, inForce: Facts | null, now: Date): Promise<Family[]> {
  const scopes = [...dnsDhcp.all(inForce, 'scope_ranges')].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, SCOPES_MOST);
  if (scopes.length === 0) return [];
  const { leases } = await readLeases(host);
  const living = leases
    .filter(({ expires }) => expires === 0 || expires > now.getTime() / 1000)
    .flatMap(({ ip_address }) => parseAddress(ip_address) ?? []);
  const pools = scopes.map(([scope, ranges]) => ({
    labels: { scope },
    ranges: ranges.flatMap((range) => boundsOf(range)),
  }));
  return [
    {
      name: 'groundcrew_dhcp_leases',
      type: 'gauge',
      help: 'Leases within the ranges of a scope, by scope (the first 64 by name).',
      samples: pools.map(({ labels, ranges }) => ({
        labels,
        value: living.filter((address) => ranges.some((range) => isWithin(range, address))).length,
      })),
    },
    {
      name: 'groundcrew_dhcp_pool_addresses',
      type: 'gauge',
      help: 'Addresses in the ranges of a scope, by scope (the first 64 by name).',
      samples: pools.map(({ labels, ranges }) => ({ labels, value: sizeOf(ranges) })),
    },
  ];
}

type Bounds = readonly [first: Address, last: Address];

/** Of `<address>` or `<first>-<last>`. */
function boundsOf(range: string): Bounds[] {
  const [start = '', end = start] = range.split('-');
  const [first, last] = [parseAddress(start), parseAddress(end)];
  return first && last ? [[first, last]] : [];
}

const isWithin = ([first, last]: Bounds, { family, value }: Address): boolean =>
  family === first.family && value >= first.value && value <= last.value;

/** A range of IPv6 may have more addresses than a number holds exactly. */
const sizeOf = (ranges: readonly Bounds[]): number =>
  ranges.reduce((sum, [first, last]) => sum + Number(last.value - first.value + 1n), 0);
