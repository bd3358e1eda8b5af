// The state of the kernel, read and compared with the desired state: links, administrative state, addresses, MTU,
// VLANs, default routes, forwarding. Each difference is one clause for operators.

import { isLinkLocal, parseCidr } from '../../ground/addresses/address.ts';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host, ObservedLink } from '../../ground/machine/host.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import type { Facts } from '../units/facts.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';
import { byInterface } from './facts.ts';

/** What is read from the kernel. */
export interface Kernel {
  links: readonly ObservedLink[];
  /** Names of the links that are administratively up: `link` of an ObservedLink also needs a carrier. */
  up: ReadonlySet<string>;
  gateways: readonly { dev: string; gateway: string }[];
}

/** @throws Error when the kernel's state can't be read. */
export async function readKernel(host: Host): Promise<Kernel> {
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
  ] as { dev?: string; gateway?: string }[];
  const gateways = routes.flatMap(({ dev, gateway }) => (dev && gateway ? [{ dev, gateway }] : []));
  return { links: await host.links(), up, gateways };
}

/** Pure: interface → one clause for each difference; only those that differ. */
export function differences(desired: NetworkDesired, kernel: Kernel): Map<string, string[]> {
  const live = new Map(kernel.links.map((link) => [link.name, link]));
  const up = new Set(enabled(desired));
  const found = configured(desired).map((row): [string, string[]] => {
    const link = live.get(row.name);
    if (up.has(row)) return [row.name, row.present ? interfaceDifference(row, link, kernel) : []];
    return [row.name, link && kernel.up.has(row.name) ? [`${row.name} is up, though it was applied as disabled`] : []];
  });
  return new Map(found.filter(([, clauses]) => clauses.length > 0));
}

/** Pure: the same as one list. */
export const compareKernel = (desired: NetworkDesired, kernel: Kernel): string[] =>
  [...differences(desired, kernel).values()].flat();

function interfaceDifference(row: NetworkInterface, link: ObservedLink | undefined, kernel: Kernel): string[] {
  if (!link) return [`${row.name} is not there`];
  const live = [...link.ipv4_cidrs, ...link.ipv6_cidrs];
  const wanted = [row.ipv4_cidr, row.ipv6_cidr].flatMap((text) => parseCidr(text) ?? []);
  const vlan = row.vlan_id === null ? null : `${row.vlan_id} on ${row.parent_interface}`;
  const runs = link.vlan && `${link.vlan.id} on ${link.vlan.parent}`;
  return [
    ...(kernel.up.has(row.name) ? [] : [`${row.name} is down`]),
    // links() leaves link-local addresses out.
    ...wanted
      .filter((cidr) => !isLinkLocal(cidr.address) && !live.includes(cidr.text))
      .map((cidr) => `${row.name} lacks ${cidr.text}`),
    ...(row.mode === 'trunk' ? live.map((cidr) => `${row.name} has ${cidr}, though a trunk carries no addresses`) : []),
    ...(link.mtu === row.mtu ? [] : [`${row.name} has MTU ${link.mtu} instead of ${row.mtu}`]),
    ...(vlan === runs ? [] : [`${row.name} is ${runs ? `VLAN ${runs}` : 'no VLAN'} instead of ${vlan ?? 'a NIC'}`]),
    ...gatewayDifference(row, kernel),
  ];
}

function gatewayDifference(row: NetworkInterface, kernel: Kernel): string[] {
  const live = kernel.gateways.filter((route) => route.dev === row.name).map((route) => route.gateway);
  const wanted = [row.ipv4_gateway, row.ipv6_gateway].filter((gateway) => gateway !== '');
  const learns = (gateway: string) =>
    gateway.includes(':') ? row.ipv6_enabled && row.ipv6_cidr === '' : row.ipv4_method === 'dhcp';
  return [
    ...wanted
      .filter((gateway) => !live.includes(gateway))
      .map((gateway) => `${row.name} lacks the default route via ${gateway}`),
    ...live
      .filter((gateway) => !wanted.includes(gateway) && !learns(gateway))
      .map((gateway) => `${row.name} has a default route via ${gateway} that was not applied`),
  ];
}

/** Pure: what was applied before, is not wanted any more, and is still there. */
export function leftovers(before: Facts | null, after: Facts, kernel: Kernel): string[] {
  const next = byInterface(after);
  const live = new Map(kernel.links.map((link) => [link.name, link]));
  return [...byInterface(before)].flatMap(([name, settings]) => {
    const link = live.get(name);
    if (!link) return [];
    const wanted = next.get(name);
    if (settings.vlan && !wanted?.vlan) return [`${name} is still there`];
    const addresses = [...link.ipv4_cidrs, ...link.ipv6_cidrs];
    return (['ipv4_cidr', 'ipv6_cidr'] as const).flatMap((kind) => {
      const cidr = settings[kind] ?? null;
      const stays = cidr === null || wanted?.[kind] === cidr || !addresses.includes(cidr);
      return stays ? [] : [`${name} still has ${cidr}`];
    });
  });
}
