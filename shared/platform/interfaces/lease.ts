// The address that DHCP gave an interface. An edit from dhcp to static without an address keeps it, so that the
// appliance stays reachable.
import type { Host, ObservedLink } from '../../ground/machine/host.ts';
import type { NetworkInterface } from './interface.ts';
import type { PhysicalInterfaceUpdate } from './interface-schema.ts';

export type Lease = Pick<ObservedLink, 'ipv4_cidrs' | 'ipv4_gateway'>;

/**
 * Addresses and gateway of the link now, when the update may need them: the last observation may be out of date, and
 * has no gateway. Undefined when they are not needed or can't be read; then the last observation counts.
 */
export async function leaseNow(
  host: Host,
  name: string,
  update: PhysicalInterfaceUpdate,
): Promise<ObservedLink | undefined> {
  if (update.ipv4_method?.trim().toLowerCase() !== 'static' || update.ipv4_cidr !== undefined) return undefined;
  const links = await host.links().catch(() => []);
  return links.find((link) => link.name === name);
}

/** Notes on an edit that kept what DHCP gave; none for any other edit. */
export function leaseNotes(
  current: NetworkInterface,
  next: NetworkInterface,
  { ipv4_cidr, ipv4_gateway }: PhysicalInterfaceUpdate,
): string[] {
  if (current.ipv4_method !== 'dhcp' || next.ipv4_method !== 'static' || ipv4_cidr !== undefined) return [];
  if (next.ipv4_cidr === '') return [];
  const gateway = ipv4_gateway === undefined && next.ipv4_gateway !== '' ? ` and the gateway ${next.ipv4_gateway}` : '';
  return [
    `${next.name} keeps ${next.ipv4_cidr}${gateway}, which the link has now; if DHCP gave it, have the DHCP server reserve it, or give another.`,
    ...(next.ipv4_gateway === ''
      ? [`${next.name} has no IPv4 gateway; give one if it is to be reached from other networks.`]
      : []),
    'Name servers that DHCP gave are not saved; the appliance’s own are at Settings.',
  ];
}
