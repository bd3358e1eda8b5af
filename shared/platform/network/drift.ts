// How the kernel differs from what was applied. An address that somebody added is no difference, unless it is on a
// trunk.
import type { Host } from '../../ground/machine/host.ts';
import { enabled, type NetworkDesired } from './desired.ts';
import { forwardingFaults } from './forwarding.ts';
import { compareKernel, readKernel } from './kernel.ts';

/** @throws Error when the kernel's state can't be read. */
export async function drift(host: Host, inForce: NetworkDesired): Promise<string[]> {
  const up = enabled(inForce).filter((row) => row.present);
  return [...compareKernel(inForce, await readKernel(host)), ...(await forwardingFaults(host, up))];
}
