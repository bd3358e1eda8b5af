// What the kernel has other than it was applied: links, their state, addresses, MTU and default gateways. An address that
// somebody added is not ours and no difference.
import { firstLine } from '../../host/exec.ts';
import type { Host, ObservedLink } from '../../host/host.ts';
import { isLinkLocal, parseCidr } from '../../network/address.ts';
import type { NetworkInterface } from '../../network/interface.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';

/** What is read from the kernel. */
export interface Kernel {
  links: readonly ObservedLink[];
  /** Names of the links that are administratively up: `link` of an ObservedLink also needs a carrier. */
  up: ReadonlySet<string>;
  gateways: readonly { dev: string; gateway: string }[];
}

/** @throws Error when the kernel's state can't be read. */
export async function drift(host: Host, inForce: NetworkDesired): Promise<string[]> {
  return compareKernel(inForce, await readKernel(host));
}

async function readKernel(host: Host): Promise<Kernel> {
  const ask = async (args: string[]): Promise<unknown[]> => {
    const shown = await host.exec('ip', ['-j', ...args]);
    if (shown.code !== 0) throw new Error(`ip -j ${args.join(' ')}: ${firstLine(shown)}`);
    return JSON.parse(shown.stdout.trim() || '[]') as unknown[];
  };
  const shown = (await ask(['link', 'show'])) as { ifname?: string; flags?: string[] }[];
  const up = new Set(shown.filter(({ flags }) => flags?.includes('UP')).map(({ ifname }) => ifname ?? ''));
  const routes = [
    ...(await ask(['-4', 'route', 'show', 'default'])),
    ...(await ask(['-6', 'route', 'show', 'default'])),
  ];
  return { links: await host.links(), up, gateways: routes as Kernel['gateways'] };
}

/** Pure: one clause for each difference. */
export function compareKernel(inForce: NetworkDesired, kernel: Kernel): string[] {
  const live = new Map(kernel.links.map((link) => [link.name, link]));
  const up = new Set(enabled(inForce));
  return configured(inForce).flatMap((row) => {
    const link = live.get(row.name);
    if (up.has(row)) return row.present ? interfaceDifference(row, link, kernel) : [];
    return link && kernel.up.has(row.name) ? [`${row.name} is up, though it was applied as disabled`] : [];
  });
}

function interfaceDifference(row: NetworkInterface, link: ObservedLink | undefined, kernel: Kernel): string[] {
  if (!link) return [`${row.name} is not there`];
  const has = new Set([...link.ipv4_cidrs, ...link.ipv6_cidrs]);
  const wanted = [row.ipv4_cidr, row.ipv6_cidr].flatMap((text) => parseCidr(text) ?? []);
  const gateways = [row.ipv4_gateway, row.ipv6_gateway].filter((gateway) => gateway !== '');
  const routed = (gateway: string) =>
    kernel.gateways.some((route) => route.dev === row.name && route.gateway === gateway);
  const vlan = row.vlan_id === null ? null : `${row.vlan_id} on ${row.parent_interface}`;
  const runs = link.vlan && `${link.vlan.id} on ${link.vlan.parent}`;
  return [
    ...(kernel.up.has(row.name) ? [] : [`${row.name} is down`]),
    // links() leaves link-local addresses out.
    ...wanted
      .filter((cidr) => !isLinkLocal(cidr.address) && !has.has(cidr.text))
      .map((cidr) => `${row.name} lacks ${cidr.text}`),
    ...(link.mtu === row.mtu ? [] : [`${row.name} has MTU ${link.mtu} instead of ${row.mtu}`]),
    ...(vlan === runs ? [] : [`${row.name} is ${runs ? `VLAN ${runs}` : 'no VLAN'} instead of ${vlan ?? 'a NIC'}`]),
    ...gateways
      .filter((gateway) => !routed(gateway))
      .map((gateway) => `${row.name} lacks the default route via ${gateway}`),
  ];
}
