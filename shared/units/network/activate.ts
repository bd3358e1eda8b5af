// Bringing the links to the desired state with iproute2, and reading them back. On an appliance systemd-networkd reads
// the rendered files at boot and takes over from there; `ip` makes the same state now, without a restart of networkd,
// which would drop every address for a moment.
import { firstLine } from '../../host/exec.ts';
import type { Host } from '../../host/host.ts';
import type { ProbeResult, UnitChange } from '../unit.ts';
import { enabled, type NetworkDesired } from './desired.ts';
import { type LiveRoute, planLinks, ROUTE_PROTOCOL } from './link-plan.ts';

/**
 * Idempotent. Answers what was done in one sentence.
 * @throws Error naming the interface and what `ip` refused; the batches before it stay done.
 */
export async function activate(host: Host, desired: NetworkDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'rehearsal: no link was changed';
  const [links, routes] = [await host.links(), await liveRoutes(host)];
  const batches = planLinks(desired, change.before, links, routes);
  for (const { subject, lines } of batches) {
    const result = await host.exec('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n` });
    if (result.code === 0) continue;
    const reason = lines.some((line) => line.startsWith('link add')) ? vlanReason(result.stderr) : firstLine(result);
    throw new Error(`${subject} could not be configured: ${reason}`);
  }
  const names = batches.map((batch) => batch.subject).filter((subject) => subject !== 'routes');
  return names.length === 0 ? 'no link to configure' : `configured ${names.join(', ')} with ip`;
}

const vlanReason = (stderr: string): string =>
  /not supported|Unknown device type/i.test(stderr)
    ? "the kernel has no 802.1Q support (module 8021q), so it can't make VLAN links"
    : (stderr.trim().split('\n')[0] ?? '');

async function liveRoutes(host: Host): Promise<LiveRoute[]> {
  const shown = await Promise.all(
    ['-4', '-6'].map((family) =>
      host.exec('ip', ['-j', family, 'route', 'show', 'default', 'proto', String(ROUTE_PROTOCOL)]),
    ),
  );
  return shown
    .flatMap((result) => JSON.parse(result.stdout.trim() || '[]') as Partial<LiveRoute>[])
    .map(({ dev = '', gateway = '', metric = 0 }) => ({ dev, gateway, metric }))
    .filter((route) => route.dev !== '');
}

/** Reads the links back and compares addresses and MTU. */
export async function probe(host: Host, desired: NetworkDesired): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  const live = new Map((await host.links()).map((link) => [link.name, link]));
  const rows = enabled(desired).filter((row) => row.present);
  const faults = rows.flatMap((row) => {
    const link = live.get(row.name);
    if (!link) return [`${row.name} is missing`];
    const has = new Set([...link.ipv4_cidrs, ...link.ipv6_cidrs]);
    return [
      ...[row.ipv4_cidr, row.ipv6_cidr]
        // links() leaves link-local addresses out.
        .filter((cidr) => cidr !== '' && !has.has(cidr) && !/^(fe[89ab]|169\.254\.)/.test(cidr))
        .map((cidr) => `${row.name} lacks ${cidr}`),
      ...(link.mtu === row.mtu ? [] : [`${row.name} has MTU ${link.mtu} instead of ${row.mtu}`]),
    ];
  });
  if (faults.length > 0) return { ok: false, said: `ip addr: ${faults.join(', ')}` };
  const addresses = rows.flatMap((row) => [row.ipv4_cidr, row.ipv6_cidr].filter((cidr) => cidr !== ''));
  return { ok: true, said: `ip addr: ${rows.length} interfaces have their ${addresses.length} addresses and MTU` };
}
