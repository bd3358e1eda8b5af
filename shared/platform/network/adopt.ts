// Adopting what somebody set on the links by hand. The kernel is read again, with the facts that distinguish an address
// set by hand from one that the network gave. Changes nothing.

import { parseCidr } from '../../ground/addresses/address.ts';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Adoption } from '../units/unit.ts';
import { type DefaultRoute, editsOf } from './adopt-edits.ts';
import type { LinkAddresses } from './adoption.ts';
import { enabled, type NetworkDesired } from './desired.ts';
import { forwardingFaults } from './forwarding.ts';
import { readKernel } from './kernel.ts';

/** The part of `ip -j route show default` that is read. */
interface ShownRoute {
  dev?: string;
  gateway?: string;
  protocol?: string;
  nexthops?: { dev?: string }[];
}

/** @throws Error when the kernel's state can't be read. */
export async function adopt(host: Host, inForce: NetworkDesired): Promise<Adoption> {
  const up = enabled(inForce).filter((row) => row.present);
  const links = (await ask(host, 'addr', 'show')) as LinkAddresses[];
  const defaults = [
    ...defaultsOf('ipv4', (await ask(host, '-4', 'route', 'show', 'default')) as ShownRoute[]),
    ...defaultsOf('ipv6', (await ask(host, '-6', 'route', 'show', 'default')) as ShownRoute[]),
  ];
  const { edits, refusals } = editsOf(inForce, { kernel: await readKernel(host), lent: lentOn(links), defaults });
  return { edits, refusals: [...refusals, ...forwardingBlockers(await forwardingFaults(host, up))] };
}

function forwardingBlockers([first, ...others]: string[]): Blocker[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? `; ${others.length} more` : '';
  return [
    {
      subject: 'Forwarding between interfaces',
      reason: `It follows from the role route alone, and on the host ${first}${more}.`,
      page: pagePath('apply'),
      unblock: 'Apply Network again',
    },
  ];
}

async function ask(host: Host, ...args: string[]): Promise<unknown[]> {
  const shown = await host.exec('ip', ['-j', ...args]);
  if (shown.code !== 0) throw new Error(`ip -j ${args.join(' ')}: ${firstLine(shown)}`);
  return JSON.parse(shown.stdout.trim() || '[]') as unknown[];
}

const lentOn = (links: readonly LinkAddresses[]): Set<string> =>
  new Set(
    links.flatMap(({ ifname, addr_info = [] }) =>
      addr_info
        .filter(({ dynamic }) => dynamic)
        .map(({ local, prefixlen }) => `${ifname} ${parseCidr(`${local}/${prefixlen}`)?.text}`),
    ),
  );

const LEARNED = new Set(['dhcp', 'ra']);

/** A route over several links is one route of each. */
const defaultsOf = (family: DefaultRoute['family'], routes: readonly ShownRoute[]): DefaultRoute[] =>
  routes.flatMap(({ dev, gateway, protocol = '', nexthops }) => {
    const devs = dev === undefined ? (nexthops ?? []).flatMap((hop) => hop.dev ?? []) : [dev];
    return devs.map((name) => ({ dev: name, family, gateway: gateway ?? null, learned: LEARNED.has(protocol) }));
  });
