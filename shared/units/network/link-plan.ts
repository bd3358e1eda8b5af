// From what should be and what is to lines of `ip -batch`: new addresses first, then those that this unit put there
// before and doesn't want any more. Addresses and routes of anybody else are never touched. Pure.
import type { ObservedLink } from '../../host/host.ts';
import { type Cidr, parseCidr, sameNetwork } from '../../network/address.ts';
import type { NetworkInterface } from '../../network/interface.ts';
import type { Entries } from '../unit.ts';
import { byInterface, enabled, type NetworkDesired } from './desired.ts';

/** Marks the routes of this unit in the kernel (`ip route show proto 71`), so that it knows its own again. No routing
 *  daemon in iproute2's list has this number. */
export const ROUTE_PROTOCOL = 71;
/** Metric of the first default route; the management interface comes first, each further one counts one up. */
const FIRST_METRIC = 100;

/** A default route of ours as the kernel has it. */
export interface LiveRoute {
  dev: string;
  gateway: string;
  metric: number;
}

export interface Batch {
  /** The interface, or `routes`. */
  subject: string;
  lines: string[];
}

/** Batches in the order in which they are to be run. Running the result twice is the same as running it once. */
export function planLinks(
  desired: NetworkDesired,
  before: Entries | null,
  links: readonly ObservedLink[],
  routes: readonly LiveRoute[],
): Batch[] {
  const live = new Map(links.map((link) => [link.name, link]));
  const baseline = byInterface(before);
  const up = enabled(desired).filter((row) => row.present);
  const names = new Set(up.map((row) => row.name));
  const batches = up.map((row) => ({
    subject: row.name,
    lines: interfaceLines(row, live.get(row.name), ownCidrs(baseline.get(row.name))),
  }));
  for (const [name, settings] of baseline) {
    const link = live.get(name);
    if (!names.has(name) && link)
      batches.push({ subject: name, lines: retire(link, settings, isDisabled(desired, name)) });
  }
  for (const row of desired.interfaces) {
    const link = live.get(row.name);
    const unlisted = !names.has(row.name) && !baseline.has(row.name);
    if (unlisted && link && row.role !== 'unused' && !row.enabled) {
      batches.push({ subject: row.name, lines: [`link set dev ${row.name} down`] });
    }
  }
  batches.push({ subject: 'routes', lines: routeLines(up, routes) });
  return batches.filter((batch) => batch.lines.length > 0);
}

const isDisabled = (desired: NetworkDesired, name: string): boolean =>
  desired.interfaces.some((row) => row.name === name && !row.enabled);

const parsed = (texts: readonly (string | undefined)[]): Cidr[] => texts.flatMap((text) => parseCidr(text ?? '') ?? []);
const ownCidrs = (settings: ReadonlyMap<string, string> | undefined): Cidr[] =>
  parsed([settings?.get('ipv4_cidr'), settings?.get('ipv6_cidr')]);
const liveCidrs = (link: ObservedLink | undefined): Cidr[] =>
  link ? parsed([...link.ipv4_cidrs, ...link.ipv6_cidrs]) : [];

function interfaceLines(row: NetworkInterface, link: ObservedLink | undefined, own: readonly Cidr[]): string[] {
  const wanted = parsed([row.ipv4_cidr, row.ipv6_cidr]);
  const present = liveCidrs(link);
  const has = (list: readonly Cidr[], cidr: Cidr) => list.some(({ text }) => text === cidr.text);
  // IPv6 holds an address once on a link, whatever its prefix: the other prefix has to go first.
  const clashing = present.filter((cidr) => !has(wanted, cidr) && wanted.some((want) => sameAddress(want, cidr)));
  const obsolete = present.filter((cidr) => has(own, cidr) && !has(wanted, cidr) && !has(clashing, cidr));
  const kept = present.filter((cidr) => !has(obsolete, cidr) && !has(clashing, cidr));
  // The kernel drops the other IPv4 addresses of a network together with the first one that it got there, so those are
  // put back. Replacing an address that is there does nothing.
  const restored = [...kept, ...wanted].filter(
    (cidr) => cidr.family === 4 && [...obsolete, ...clashing].some((gone) => sameNetwork(gone, cidr)),
  );
  return [
    ...(link || row.vlan_id === null
      ? []
      : [`link add link ${row.parent_interface} name ${row.name} type vlan id ${row.vlan_id}`]),
    ...(link?.mtu === row.mtu ? [] : [`link set dev ${row.name} mtu ${row.mtu}`]),
    `link set dev ${row.name} up`,
    ...clashing.map((cidr) => remove(row.name, cidr)),
    ...wanted.filter((cidr) => !has(present, cidr)).map((cidr) => put(row.name, cidr)),
    ...obsolete.map((cidr) => remove(row.name, cidr)),
    ...restored.map((cidr) => put(row.name, cidr)),
  ];
}

const sameAddress = (a: Cidr, b: Cidr): boolean => a.address.text === b.address.text;
const remove = (name: string, cidr: Cidr): string => `addr del ${cidr.text} dev ${name}`;
// Without duplicate address detection: services bind to the address right after, and a tentative one can't be bound.
const put = (name: string, cidr: Cidr): string =>
  `addr replace ${cidr.text} dev ${name}${cidr.family === 6 ? ' nodad' : ''}`;

/** An interface that is disabled, unused or deleted now. */
function retire(link: ObservedLink, settings: ReadonlyMap<string, string>, disabled: boolean): string[] {
  if (settings.has('vlan')) return [`link delete dev ${link.name}`];
  const own = new Set(ownCidrs(settings).map((cidr) => cidr.text));
  return [
    ...liveCidrs(link)
      .filter((cidr) => own.has(cidr.text))
      .map((cidr) => remove(link.name, cidr)),
    ...(disabled ? [`link set dev ${link.name} down`] : []),
  ];
}

function routeLines(up: readonly NetworkInterface[], routes: readonly LiveRoute[]): string[] {
  const ordered = [...up].sort((a, b) => Number(b.role === 'management') - Number(a.role === 'management'));
  const wanted = ordered
    .flatMap((row) => [row.ipv4_gateway, row.ipv6_gateway].map((gateway) => ({ dev: row.name, gateway })))
    .filter(({ gateway }) => gateway !== '')
    .map((route, index) => ({ ...route, metric: FIRST_METRIC + index }));
  const stale = routes.filter((route) => !wanted.some((want) => routeText(want) === routeText(route)));
  // On-link: the gateway's network may have no carrier yet. Last, since removing an address takes its routes along.
  return [
    ...wanted.map((route) => `route replace ${everywhere(route)} ${routeText(route)} onlink`),
    ...stale.map((route) => `route del ${everywhere(route)} ${routeText(route)}`),
  ];
}

const routeText = ({ gateway, dev, metric }: LiveRoute): string =>
  `via ${gateway} dev ${dev} proto ${ROUTE_PROTOCOL} metric ${metric}`;
// Not `default`, which doesn't say its family.
const everywhere = ({ gateway }: LiveRoute): string => (gateway.includes(':') ? '::/0' : '0.0.0.0/0');
