// Numbers of the name service and of DHCP: what dnsmasq tells of its cache over DNS (dnsmasq(8), "CHAOS"), and the leases
// in its file. No log is read.
import { compareAddresses, contains, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { Family } from '../../ground/metrics/exposition.ts';
import type { Database } from '../../ground/store/database.ts';
import type { AddressRange } from '../../platform/interfaces/refresh/snapshot.ts';
import type { Facts } from '../../platform/units/facts.ts';
import type { Lease } from './dhcp/leases.ts';
import { readLeases } from './dhcp/server.ts';
import { savedScopes } from './dhcp/surroundings.ts';
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
export async function dnsMetrics(host: Host, inForce: Facts): Promise<Family[]> {
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
      name: 'groundcrew_dns_cache_entries',
      type: 'gauge',
      help: 'Names that the cache has room for.',
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

/** Leases that did not end, and the size of each pool: one statement and the lease file. */
export async function dhcpMetrics(db: Database, host: Host, now: Date): Promise<Family[]> {
  const { leases } = await readLeases(host);
  const living = leases.filter(({ expires }) => expires === 0 || expires > now.getTime() / 1000);
  const scopes = (await savedScopes(db)).filter(({ enabled }) => enabled).slice(0, SCOPES_MOST);
  const inside = scopes.map((scope) => ({ scope: scope.name, leases: countOf(living, scope.subnet_cidr) }));
  return [
    {
      name: 'groundcrew_dhcp_leases',
      type: 'gauge',
      help: 'Leases in force, by scope (the first 64 by name).',
      samples: inside.map(({ scope, leases: value }) => ({ labels: { scope }, value })),
    },
    {
      name: 'groundcrew_dhcp_pool_addresses',
      type: 'gauge',
      help: 'Addresses in the ranges of a scope, by scope (the first 64 by name).',
      samples: scopes.map(({ name, ranges }) => ({ labels: { scope: name }, value: sizeOf(ranges) })),
    },
  ];
}

function countOf(leases: readonly Lease[], subnet_cidr: string): number {
  const cidr = parseCidr(subnet_cidr);
  if (!cidr) return 0;
  return leases.filter(({ ip_address }) => {
    const address = parseAddress(ip_address);
    return address !== null && address.family === cidr.address.family && contains(cidr, address);
  }).length;
}

/** A range of IPv6 may have more addresses than a number holds exactly. */
function sizeOf(ranges: readonly AddressRange[]): number {
  return ranges.reduce((sum, { start, end }) => {
    const [first, last] = [parseAddress(start), parseAddress(end)];
    if (!first || !last || compareAddresses(first, last) > 0) return sum;
    return sum + Number(last.value - first.value + 1n);
  }, 0);
}
