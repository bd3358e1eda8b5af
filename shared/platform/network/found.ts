// The way back from the first apply of the network: what the links had before it, whoever set it, and how that is
// restored. networkd releases a link that has no file any more, and removes what it had configured.
import { setTimeout as pause } from 'node:timers/promises';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { isBatchLine, isLabel } from '../host/ip-batch.ts';
import type { UnitChange } from '../units/unit.ts';
import type { NetworkDesired } from './desired.ts';
import { networkdDaemon, reload } from './engine.ts';
import { byInterface } from './facts.ts';
import { endForwarding } from './forwarding.ts';

export interface FoundLink {
  name: string;
  up: boolean;
  mtu: number;
  /** As arguments of `ip addr`: `10.0.0.5/24 brd 10.0.0.255 scope global`. */
  addresses: string[];
}

export interface Found {
  links: FoundLink[];
  /** Routes of the main table that the kernel did not make by itself, as arguments of `ip route`. */
  routes: string[];
  /** Whether networkd ran. */
  networkd: boolean;
}

/** Stands in for a desired state before the first apply: what was found on the host. */
export interface FoundNetwork extends NetworkDesired {
  found: Found;
}

export const isFound = (desired: NetworkDesired): desired is FoundNetwork => 'found' in desired;

/** @throws Error when the links can't be read: then there would be no way back. */
export async function found(host: Host): Promise<NetworkDesired> {
  // A rehearsal enforces nothing, so nothing has to be restored.
  if (!host.enforces) return { interfaces: [] };
  const state: FoundNetwork = {
    interfaces: [],
    found: { ...(await look(host)), networkd: await host.daemonRunning(networkdDaemon(host)) },
  };
  return state;
}

/** Tries, with a pause between them: networkd releases a link a moment after its reload. */
const TRIES = 40;
const BETWEEN = 50;
/** What was restored has to stay for so many checks: networkd may release a link late and remove it again. */
const QUIET = 3;

/** Idempotent. @throws Error naming what could not be restored. */
export async function comeBack(host: Host, { found: before }: FoundNetwork, change: UnitChange): Promise<string> {
  const daemon = networkdDaemon(host);
  // Forwarding ends before the rules that limit it are removed. A failure is ignored here and fails again below.
  await endForwarding(host, change).catch(() => undefined);
  if (await host.daemonRunning(daemon)) {
    await reload(host);
    if (!before.networkd) await host.stopDaemon(daemon);
  }
  await endForwarding(host, change);
  const touched = new Set(byInterface(change.before).keys());
  let output = '';
  for (let tried = 0, quiet = 0; tried < TRIES; tried += 1) {
    const lines = linesBack(before, await look(host), touched);
    quiet = lines.length === 0 ? quiet + 1 : 0;
    if (quiet === QUIET) return `${[...touched].join(', ') || 'no link'} as before the first apply`;
    // The kernel removes some IPv4 addresses and routes together with others; the next round restores these.
    if (lines.length > 0)
      output = firstLine(await host.exec('ip', ['-force', '-batch', '-'], { input: `${lines.join('\n')}\n` }));
    await pause(BETWEEN);
  }
  throw new Error(`the links are not as they were before the first apply: ${output}`);
}

/** Pure: lines for `ip -batch` that restore the touched links to what was found. */
export function linesBack(
  before: Omit<Found, 'networkd'>,
  now: Omit<Found, 'networkd'>,
  touched: ReadonlySet<string>,
): string[] {
  const was = new Map(before.links.map((link) => [link.name, link]));
  const links = now.links.filter(({ name }) => touched.has(name));
  return [
    ...links.flatMap((link) => linkLines(was.get(link.name), link)),
    ...before.routes.filter((route) => !now.routes.includes(route)).map((route) => `route replace ${route}`),
    ...now.routes
      .filter(
        (route) => !before.routes.includes(route) && links.some(({ name }) => ` ${route} `.includes(` dev ${name} `)),
      )
      .map((route) => `route del ${route}`),
  ];
}

function linkLines(was: FoundLink | undefined, link: FoundLink): string[] {
  const { name } = link;
  // The apply made this link: a VLAN.
  if (!was) return [`link delete dev ${name}`];
  const switched = was.up === link.up ? [] : [`link set dev ${name} ${was.up ? 'up' : 'down'}`];
  // Without duplicate address detection: the appliance had this address before.
  const put = (address: string) => `addr replace ${address} dev ${name}${address.includes(':') ? ' nodad' : ''}`;
  const bare = (address: string) => address.split(' ')[0];
  // The kernel changes neither broadcast address nor label of an IPv4 address that is there.
  const remade = (address: string) =>
    !bare(address)!.includes(':') && link.addresses.some((known) => bare(known) === bare(address))
      ? [`addr del ${bare(address)} dev ${name}`]
      : [];
  return [
    ...(was.mtu === link.mtu ? [] : [`link set dev ${name} mtu ${was.mtu}`]),
    ...switched,
    ...was.addresses
      .filter((address) => !link.addresses.includes(address))
      .flatMap((address) => [...remade(address), put(address)]),
    ...link.addresses
      .filter((address) => !was.addresses.some((known) => bare(known) === bare(address)))
      .map((address) => `addr del ${bare(address)} dev ${name}`),
  ];
}

interface ShownLink {
  ifname: string;
  flags?: string[];
  mtu?: number;
  addr_info?: ShownAddress[];
}

interface ShownAddress {
  local?: string;
  prefixlen?: number;
  scope?: string;
  label?: string;
  broadcast?: string;
  tentative?: boolean;
  temporary?: boolean;
}

async function look(host: Host): Promise<Omit<Found, 'networkd'>> {
  const ask = async (...args: string[]): Promise<string> => {
    const shown = await host.exec('ip', args);
    if (shown.code !== 0) throw new Error(`ip ${args.join(' ')}: ${firstLine(shown)}`);
    return shown.stdout;
  };
  const links = JSON.parse((await ask('-j', 'addr', 'show')) || '[]') as ShownLink[];
  const routes = `${await ask('-4', 'route', 'show')}\n${await ask('-6', 'route', 'show')}`;
  return { links: links.filter(({ flags }) => !flags?.includes('LOOPBACK')).map(linkOf), routes: routeLines(routes) };
}

const linkOf = ({ ifname, flags, mtu, addr_info }: ShownLink): FoundLink => ({
  name: ifname,
  up: flags?.includes('UP') === true,
  mtu: mtu ?? 1500,
  // The kernel makes temporary addresses (RFC 8981) itself.
  addresses: (addr_info ?? []).filter(({ temporary }) => !temporary).map((address) => addressOf(ifname, address)),
});

function addressOf(name: string, { local, prefixlen, scope, label, broadcast }: ShownAddress): string {
  const parts = [
    `${local}/${prefixlen}`,
    ...(broadcast ? [`brd ${broadcast}`] : []),
    ...(scope ? [`scope ${scope}`] : []),
    ...(label && label !== name && isLabel(label) ? [`label ${label}`] : []),
  ];
  return parts.join(' ');
}

/**
 * Without routes that the kernel makes itself, and words that are no arguments of `ip route`. A route that the root
 * step would refuse (one that encapsulates) is left out: it would fail the whole batch.
 */
export const routeLines = (shown: string): string[] =>
  shown
    // Each hop of a route with several hops has a line of its own.
    .replaceAll(/ *\n[\t ]+/g, ' ')
    .split('\n')
    .map((line) =>
      line.replaceAll(/ (?:linkdown|dead|offload|trap|expires \S+|error -\d+|pref medium)(?= |$)/g, '').trim(),
    )
    .filter((line) => !/ proto (?:kernel|ra)\b/.test(line) && isBatchLine(`route replace ${line}`));
