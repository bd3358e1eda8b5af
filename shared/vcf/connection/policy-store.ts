// The policy of this moment: the saved exceptions, and every address that this appliance has or is about to have.
import { networkInterfaces } from 'node:os';
import {
  type Cidr,
  isLinkLocal,
  isLoopback,
  isUnspecified,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Settings } from '../../kernel/operation/services.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import type { TargetPolicy } from './address-rules.ts';
import { allowedNetworks, readRemoteSettings } from './settings.ts';

export interface PolicyShell {
  host: Pick<Host, 'links'>;
  settings: Pick<Settings, 'management_port' | 'public_listen'>;
}

/**
 * Two statements, and one look at the links. What can't be read refuses everything: it throws.
 * @throws Error when the host refuses to show its links
 */
export async function loadTargetPolicy(db: Database, { host, settings }: PolicyShell): Promise<TargetPolicy> {
  const saved = await readRemoteSettings(db);
  const rows = await loadInterfaces(db);
  const links = await host.links();
  const desired = rows.flatMap(({ ipv4_cidr, ipv6_cidr, observed }) => [
    ...[ipv4_cidr, ipv6_cidr],
    ...(observed?.ipv4_cidrs ?? []),
    ...(observed?.ipv6_cidrs ?? []),
  ]);
  const shown = links.flatMap(({ ipv4_cidrs, ipv6_cidrs }) => [...ipv4_cidrs, ...ipv6_cidrs]);
  // Also bridges, tunnels and the ends of containers, which are no interfaces to an operator.
  const known = Object.values(networkInterfaces()).flatMap((infos) => (infos ?? []).map(({ cidr }) => cidr ?? ''));
  const listening = parseAddress(settings.public_listen?.host ?? '');
  const single = listening ? [`${listening.text}/${listening.family === 4 ? 32 : 128}`] : [];
  const own = [...new Set([...desired, ...shown, ...known, ...single])].flatMap((text) => parseCidr(text) ?? []);
  const ports = [settings.management_port, ...(settings.public_listen ? [settings.public_listen.port] : [])];
  return { own: own.filter(belongsToOne), ports, allowed: allowedNetworks(saved) };
}

/** Loopback and link-local addresses are everybody's; rules of their own refuse them. */
const belongsToOne = ({ address }: Cidr): boolean =>
  !isLoopback(address) && !isLinkLocal(address) && !isUnspecified(address);
