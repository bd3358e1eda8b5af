// Interfaces of an earlier plan against those of today: as they will be, and what stands in the way of that. Pure.

import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import { listenerLost } from '../../platform/interfaces/conflicts.ts';
import { brokenRules } from '../../platform/interfaces/edit.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { type InterfaceDifference, interfacesBetween } from './applied-rows-difference.ts';

const PAGE = pagePath('interfaces');
const inUse = ({ role, mode }: NetworkInterface): boolean => role !== 'unused' || mode === 'trunk';
const physical = ({ kind }: NetworkInterface): boolean => kind === 'physical';

export interface FormerInterfaces {
  difference: InterfaceDifference;
  /** Every interface as it will be. */
  after: NetworkInterface[];
  blockers: Blocker[];
}

/**
 * Brings the interfaces back by the rules of an edit.
 * @throws Problem 409 `no_management_listener`
 */
export function bringInterfacesBack(
  now: readonly NetworkInterface[],
  wanted: readonly NetworkInterface[],
): FormerInterfaces {
  const found = interfacesBetween(now, wanted);
  const parents = new Map(now.filter(physical).map((row) => [row.name, row]));
  const adapterOf = ({ kind, name, parent_interface }: NetworkInterface) => (kind === 'vlan' ? parent_interface : name);
  const lost = wanted.filter((row) => inUse(row) && !parents.has(adapterOf(row) ?? ''));
  const gone = new Set(lost.map(({ name }) => name));
  const saved = found.saved.filter(({ name }) => !gone.has(name)).map((row) => onParent(row, parents));
  const replaced = new Map(saved.map((row) => [row.id, row]));
  const going = new Set(found.removed.map(({ id }) => id));
  const kept = now.filter(({ id }) => !going.has(id)).map((row) => replaced.get(row.id) ?? row);
  const after = [...kept, ...saved.filter(({ id }) => !now.some((row) => row.id === id))];
  const problem = listenerLost(now, after);
  if (problem) throw problem;
  const broken = saved.flatMap((row) => brokenRules(row, after).map((rule) => brokenBlocker(row, rule)));
  return {
    difference: { saved, removed: found.removed },
    after,
    blockers: [...lost.map(goneBlocker), ...broken],
  };
}

/** What a VLAN has of its adapter is that of today. */
function onParent(row: NetworkInterface, parents: ReadonlyMap<string, NetworkInterface>): NetworkInterface {
  const parent = row.kind === 'vlan' ? parents.get(row.parent_interface ?? '') : undefined;
  if (!parent) return row;
  const { mac_address, speed_mbps, present } = parent;
  return { ...row, mac_address, speed_mbps, present };
}

/** Adapters that have another name today: what names them can't be brought back as it was. */
export function renamedAdapters(now: readonly NetworkInterface[], then: readonly NetworkInterface[]): Blocker[] {
  const byAddress = new Map(now.filter(physical).map((row) => [row.mac_address, row.name]));
  return then.filter(physical).flatMap((row) => {
    const today = row.mac_address === '' ? undefined : byAddress.get(row.mac_address);
    if (!inUse(row) || today === undefined || today === row.name) return [];
    return [
      {
        subject: `Interface ${row.name}`,
        reason: `Its adapter is called ${today} today.`,
        page: PAGE,
        unblock: `Give ${today} the settings by hand`,
      },
    ];
  });
}

const goneBlocker = ({ name }: NetworkInterface): Blocker => ({
  subject: `Interface ${name}`,
  reason: 'Its adapter is not known to the appliance any more.',
  page: PAGE,
  unblock: 'Give another interface the settings by hand',
});

const brokenBlocker = ({ name }: NetworkInterface, rule: string): Blocker => ({
  subject: `Interface ${name}`,
  reason: `It would break a rule: ${rule}.`,
  page: PAGE,
  unblock: 'Change the interfaces that were set up since then',
});
