// Keeps the questions of DNS clients while dnsmasq restarts: they are answered late instead of never.
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { CONF_FILE } from './dnsmasq-daemon.ts';

const DNS_PORT = '53';
/** Milliseconds of the program: to start on a slow and busy machine, to wait for dnsmasq, and for the last answers. */
const LIMIT_MS = 25_000;

/** Addresses that the configuration in force has names answered at. */
async function answeringAt(host: Host): Promise<string[]> {
  const lines = ((await host.read(CONF_FILE)) ?? '').split('\n');
  if (lines.includes('port=0')) return [];
  const values = (directive: string) =>
    lines.flatMap((line) => (line.startsWith(`${directive}=`) ? [line.slice(directive.length + 1)] : []));
  const dynamic = new Set(values('interface'));
  const links = dynamic.size === 0 ? [] : (await host.links()).filter(({ name }) => dynamic.has(name));
  const observed = links.flatMap(({ ipv4_cidrs, ipv6_cidrs }) => [...ipv4_cidrs, ...ipv6_cidrs]);
  return [...new Set([...values('listen-address'), ...observed.map((cidr) => cidr.split('/')[0] ?? '')])];
}

/**
 * Resolves when the questions are kept, or can't be: dnsmasq has to run until then. The function that it answers waits
 * until they are answered, or their time is over.
 */
export async function holdNames(host: Host): Promise<() => Promise<void>> {
  const servers = await answeringAt(host);
  if (servers.length === 0) return async () => undefined;
  const holding = Promise.withResolvers<void>();
  const args = [companion('hold-question', import.meta.url), DNS_PORT, servers.join(',')];
  const ended = host.exec(process.execPath, args, { timeout: LIMIT_MS, heard: () => holding.resolve() }).then(
    () => holding.resolve(),
    () => holding.resolve(),
  );
  await holding.promise;
  return () => ended;
}
