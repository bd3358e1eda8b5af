// Whether the kernel can make the VLAN links that are wanted.
import type { Host } from '../../ground/machine/host.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import { enabled, type NetworkDesired } from './desired.ts';

export const NO_8021Q = 'the kernel has no 802.1Q support (module 8021q)';

/**
 * The VLANs that can't be made; none when all can. 802.1Q is supported when the kernel shows its table, when a VLAN
 * link exists, or when modprobe's dry run finds the module. None of these tests changes the machine, as making a link
 * would.
 */
export async function impossibleVlans(host: Host, desired: NetworkDesired): Promise<NetworkInterface[]> {
  const vlans = enabled(desired).filter((row) => row.kind === 'vlan' && row.present);
  if (vlans.length === 0 || !host.enforces) return [];
  if ((await host.exec('test', ['-e', '/proc/net/vlan/config'])).code === 0) return [];
  if ((await host.links()).some((link) => link.vlan !== null)) return [];
  return (await host.exec('modprobe', ['-n', '-q', '8021q'])).code === 0 ? [] : vlans;
}
