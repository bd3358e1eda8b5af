// From `ip -j -d addr show` and sysfs to observed links. Only links that an operator would call an interface: wires,
// bonds and VLANs; no loopback, bridges, tunnels or the inner ends of containers.
import { networkInterfaces } from 'node:os';
import { isLinkLocal, parseCidr } from '../../ground/addresses/address.ts';
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, ObservedLink } from '../../ground/machine/host.ts';

type Run = (program: string, args: string[]) => Promise<ExecResult>;

/** The part of iproute2's JSON that is read. */
interface IpLink {
  ifname: string;
  flags: string[];
  mtu: number;
  link_type: string;
  address?: string;
  permaddr?: string;
  master?: string;
  /** Parent of a VLAN link. */
  link?: string;
  linkinfo?: { info_kind?: string; info_data?: { protocol?: string; id?: number } };
  addr_info?: { family: string; local?: string; prefixlen?: number }[];
}

/** Kinds of software links that count as interfaces; a link without a kind is hardware. */
const KINDS = new Set(['veth', 'macvlan', 'bond', 'team', 'netdevsim', 'vlan']);

// Inside a namespace only `ip netns exec` shows the right sysfs, hence a program rather than reading files. `speed`
// is unreadable on a link that is down and -1 where the driver doesn't know it.
const SYSFS = `cd /sys/class/net && for link in *; do
  speed=$(cat "$link/speed" 2>/dev/null); driver=$(readlink "$link/device/driver" 2>/dev/null)
  echo "$link|$speed|\${driver##*/}"
done`;

/**
 * The links of the machine or namespace in which `run` runs programs, in the kernel's order.
 * @throws Error when iproute2 is there but refuses.
 */
export async function observeLinks(run: Run): Promise<ObservedLink[]> {
  const shown = await run('ip', ['-j', '-d', 'addr', 'show']);
  if (shown.code !== 0) throw new Error(`The links could not be read: ip -j -d addr show: ${firstLine(shown)}`);
  const sysfs = await run('sh', ['-c', SYSFS]);
  const routes = await run('ip', ['-j', '-4', 'route', 'show', 'default']);
  return parseLinks(shown.stdout, sysfs.stdout, routes.code === 0 ? routes.stdout : '');
}

/** Pure: JSON of `ip -j -d addr show`, lines `name|speed|driver`, and JSON of `ip -j -4 route show default`. */
export function parseLinks(json: string, sysfs: string, routes = ''): ObservedLink[] {
  const hardware = new Map(
    sysfs.split('\n').map((line) => {
      const [name = '', speed, driver] = line.split('|');
      return [name, { speed: Number(speed) > 0 ? Number(speed) : null, driver: driver || null }];
    }),
  );
  // An unset list is `[{}]` in some versions of iproute2.
  const links = (JSON.parse(json || '[]') as Partial<IpLink>[]).filter((link): link is IpLink => Boolean(link.ifname));
  const gateways = gatewaysOf(routes);
  return links.filter(isInterface).map((link) => {
    const ipv4_gateway = gateways.get(link.ifname);
    const known = hardware.get(link.ifname);
    const kind = link.linkinfo?.info_kind;
    return {
      name: link.ifname,
      mac_address: (link.permaddr ?? link.address ?? '').toLowerCase(),
      driver: known?.driver ?? kind ?? null,
      speed_mbps: known?.speed ?? null,
      mtu: link.mtu,
      link: link.flags.includes('UP') && link.flags.includes('LOWER_UP') ? 'up' : 'down',
      ipv4_cidrs: cidrs(link, 'inet'),
      ipv6_cidrs: cidrs(link, 'inet6'),
      vlan: kind === 'vlan' ? { parent: link.link ?? '', id: link.linkinfo?.info_data?.id ?? 0 } : null,
      ...(ipv4_gateway !== undefined && { ipv4_gateway }),
    };
  });
}

/** The kernel lists routes by metric: of several default routes of a link the first is used. */
function gatewaysOf(routes: string): Map<string, string> {
  const shown = JSON.parse(routes.trim() || '[]') as { dev?: string; gateway?: string }[];
  const known = shown.flatMap(({ dev, gateway }) => (dev && gateway ? [[dev, gateway] as const] : []));
  return new Map(known.toReversed());
}

function isInterface(link: IpLink): boolean {
  if (link.link_type !== 'ether' || link.flags.includes('LOOPBACK')) return false;
  const kind = link.linkinfo?.info_kind;
  if (kind === undefined) return true;
  // A veth in a bridge is the host's end of a container's wire.
  return KINDS.has(kind) && !(kind === 'veth' && link.master !== undefined);
}

function cidrs(link: IpLink, family: string): string[] {
  return (link.addr_info ?? []).flatMap((info) => {
    const cidr = info.family === family ? parseCidr(`${info.local}/${info.prefixlen}`) : null;
    return cidr && !isLinkLocal(cidr.address) ? [cidr.text] : [];
  });
}

/** The links that Node itself lists, for a rehearsal on a machine without iproute2: only those up with an address. */
export function linksWithoutTools(): ObservedLink[] {
  return Object.entries(networkInterfaces()).flatMap(([name, infos = []]) => {
    const [first] = infos;
    if (!first || first.internal) return [];
    const texts = infos.flatMap((info) => {
      const cidr = info.cidr === null ? null : parseCidr(info.cidr);
      return cidr && !isLinkLocal(cidr.address) ? [cidr] : [];
    });
    const of = (family: 4 | 6) => texts.filter((cidr) => cidr.family === family).map((cidr) => cidr.text);
    const link = { name, mac_address: first.mac, driver: null, speed_mbps: null, mtu: 1500, link: 'up', vlan: null };
    return [{ ...link, ipv4_cidrs: of(4), ipv6_cidrs: of(6) } as ObservedLink];
  });
}
