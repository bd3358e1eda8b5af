// Whether the desired network may be applied: the rules of the interfaces again, what the kernel supports, and
// systemd-networkd's own check of the files.
import { dirname } from 'node:path';
import type { Host } from '../../ground/machine/host.ts';
import { brokenRules } from '../interfaces/edit.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import { effectiveManagementListeners } from '../interfaces/management-listener.ts';
import type { CheckResult } from '../units/unit.ts';
import { configured, type NetworkDesired } from './desired.ts';
import { readFiles } from './reading.ts';
import { render } from './render.ts';
import { impossibleVlans, NO_8021Q } from './vlan-support.ts';

const RULES = 'groundcrew network rules';
/**
 * Names of links that networkd reads as names: no globs, no specifiers, no number, and none of the kernel's own words
 * for all links.
 */
const PLAIN_NAME = /^(?!\d+$|all$|default$)\w[\w.@+-]*$/;

export async function check(
  host: Host,
  desired: NetworkDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const started = performance.now();
  const answer = (faults: string[], program: string): CheckResult => ({
    ok: faults.length === 0,
    program,
    faults,
    duration_ms: Math.round(performance.now() - started),
  });
  const own = [...ruleFaults(desired), ...(await kernelFaults(host, desired))];
  if (own.length > 0) return answer(own, RULES);
  const [first] = render(desired);
  if (!first) return answer([], RULES);
  const read = await readFiles(host, dirname(staged(first.path)));
  if (!('unable' in read)) return answer(read.faults, `systemd-networkd and ${RULES}`);
  // A rehearsal may run where networkd is missing or can't be isolated; where links are configured, either is a fault.
  return answer(host.enforces ? [`${read.unable}.`] : [], `${RULES} only: ${read.unable}`);
}

/** Pure: every broken rule of the interfaces that an apply would configure, and the loss of the last listener. */
export function ruleFaults(desired: NetworkDesired): string[] {
  const all = desired.interfaces;
  const faults = configured(desired).flatMap((row) => [
    ...brokenRules(row, all).map((rule) => `${row.name}: breaks the rule "${rule}"`),
    ...(row.kind === 'vlan' && !hasTrunk(row, all) ? [`${row.name}: its parent is not a trunk`] : []),
    ...(PLAIN_NAME.test(row.name)
      ? []
      : [`${row.name}: systemd-networkd does not accept this name of a link; rename it`]),
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

async function kernelFaults(host: Host, desired: NetworkDesired): Promise<string[]> {
  const names = (await impossibleVlans(host, desired)).map((row) => row.name).join(', ');
  return names === '' ? [] : [`T${NO_8021Q.slice(1)}, so these VLANs can't be made: ${names}.`];
}
