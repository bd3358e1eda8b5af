// Reads the links back from the kernel and names each difference from what was applied.
import type { Host } from '../../ground/machine/host.ts';
import type { ProbeResult } from '../units/unit.ts';
import { enabled, type NetworkDesired } from './desired.ts';
import { forwardingFaults } from './forwarding.ts';
import { compareKernel, readKernel } from './kernel.ts';

export async function probe(host: Host, desired: NetworkDesired): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  const rows = enabled(desired).filter((row) => row.present);
  const faults = [...compareKernel(desired, await readKernel(host)), ...(await forwardingFaults(host, rows))];
  if (faults.length > 0) return { ok: false, said: `kernel: ${faults.join(', ')}` };
  const count = (of: readonly string[]): number => of.filter((text) => text !== '').length;
  const addresses = count(rows.flatMap((row) => [row.ipv4_cidr, row.ipv6_cidr]));
  const gateways = count(rows.flatMap((row) => [row.ipv4_gateway, row.ipv6_gateway]));
  return {
    ok: true,
    said: `kernel: ${rows.length} interfaces up with ${addresses} addresses, ${gateways} default routes and their MTU`,
  };
}
