// Whether the desired network may be applied: the rules of the interfaces once more, and what the kernel can do.
import type { Host } from '../../host/host.ts';
import { brokenRules } from '../../network/edit.ts';
import type { NetworkInterface } from '../../network/interface.ts';
import { effectiveManagementListeners } from '../../network/management-listener.ts';
import type { CheckResult } from '../unit.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';

/** networkd offers no check of its files that runs without changing links, so the rules here are all there is. */
export async function check(host: Host, desired: NetworkDesired): Promise<CheckResult> {
  const started = performance.now();
  const faults = [...ruleFaults(desired), ...(await kernelFaults(host, desired))];
  return {
    ok: faults.length === 0,
    program: 'groundcrew network rules',
    faults,
    duration_ms: Math.round(performance.now() - started),
  };
}

/** Pure: every broken rule of the interfaces that an apply would configure, and the loss of the last listener. */
export function ruleFaults(desired: NetworkDesired): string[] {
  const all = desired.interfaces;
  const faults = configured(desired).flatMap((row) => [
    ...brokenRules(row, all).map((rule) => `${row.name}: breaks the rule "${rule}"`),
    ...(row.kind === 'vlan' && !hasTrunk(row, all) ? [`${row.name}: its parent is not a trunk`] : []),
  ]);
  if (effectiveManagementListeners(all).length === 0) {
    faults.push(
      'No effective management UI listener would be left: give a present, enabled interface with an address the ' +
        'management role, or expose the management UI on an access interface.',
    );
  }
  return faults;
}

const hasTrunk = (row: NetworkInterface, all: readonly NetworkInterface[]): boolean =>
  all.some((parent) => parent.name === row.parent_interface && parent.mode === 'trunk');

/**
 * 802.1Q is there when the kernel shows its table, when a VLAN link exists, or when modprobe's dry run finds the module.
 * Each of these only looks; making a link to find out would change the machine.
 */
async function kernelFaults(host: Host, desired: NetworkDesired): Promise<string[]> {
  const vlans = enabled(desired).filter((row) => row.kind === 'vlan' && row.present);
  if (vlans.length === 0 || !host.enforces) return [];
  if ((await host.exec('test', ['-e', '/proc/net/vlan/config'])).code === 0) return [];
  if ((await host.links()).some((link) => link.vlan !== null)) return [];
  if ((await host.exec('modprobe', ['-n', '-q', '8021q'])).code === 0) return [];
  const names = vlans.map((row) => row.name).join(', ');
  return [`The kernel has no 802.1Q support (module 8021q), so these VLANs can't be made: ${names}.`];
}
