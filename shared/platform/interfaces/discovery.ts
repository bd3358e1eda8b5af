// Merging the links that the kernel reports into the saved rows. A physical interface is its MAC address: a renamed
// link keeps its row, settings and VLANs and gets the new name; a vanished one stays, marked as not present.

import { firstKeepable } from '../../ground/addresses/address.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import { type NetworkInterface, NO_ROLE, type Observed } from './interface.ts';

export interface Rename {
  from: string;
  to: string;
}

/**
 * What a discovery changes. `renames` are logical and may swap names: the caller runs `renameSteps` of them in one
 * transaction, before the upserts, which carry the new names already. Nothing in them changes a revision.
 */
export interface Discovered {
  upserts: NetworkInterface[];
  renames: Rename[];
}

const LARGEST_MTU = 9216;
const SMALLEST_MTU = 576;

/** Pure: rows as saved, links as observed, `now` in RFC 3339 for new rows. Only rows that differ are answered. */
export function mergeDiscovered(
  rows: readonly NetworkInterface[],
  links: readonly ObservedLink[],
  now: string,
): Discovered {
  const saved = rows.filter((row) => row.kind === 'physical');
  const physical = links.filter((link) => link.vlan === null);
  const matches = match(saved, physical);
  const matched = new Set(matches.values());
  const merged = new Map<NetworkInterface, NetworkInterface>();
  for (const [link, row] of matches) merged.set(row, observe(row, link));
  const taken = new Set(physical.map((link) => link.name));
  for (const row of saved) {
    if (!matched.has(row)) merged.set(row, vanish(row, taken));
  }
  for (const row of rows) {
    if (row.kind === 'vlan') merged.set(row, observeVlan(row, [...merged], links));
  }
  const added = physical.filter((link) => !matches.has(link)).map((link) => freshRow(link, now));
  if (saved.length === 0) electManagement(added);
  const changed = [...merged].filter(([before, after]) => JSON.stringify(before) !== JSON.stringify(after));
  return {
    upserts: [...changed.map(([, after]) => after), ...added],
    renames: changed
      .filter(([before, after]) => before.name !== after.name)
      .map(([before, after]) => ({ from: before.name, to: after.name })),
  };
}

/**
 * Renames in an order that a unique key permits even when names are swapped: first all to temporary names, then to the
 * new ones.
 */
export function renameSteps(renames: readonly Rename[]): Rename[] {
  return [
    ...renames.map(({ from }) => ({ from, to: `~${from}` })),
    ...renames.map(({ from, to }) => ({ from: `~${from}`, to })),
  ];
}

/**
 * Ways to recognize a link, the most certain first. The last one: an adapter replaced in the same slot takes over the
 * row.
 */
const SAME: readonly ((row: NetworkInterface, link: ObservedLink) => boolean)[] = [
  (row, link) => row.mac_address === link.mac_address && row.name === link.name,
  (row, link) => row.mac_address === link.mac_address && row.mac_address !== '',
  (row, link) => row.name === link.name,
];

function match(rows: NetworkInterface[], links: ObservedLink[]): Map<ObservedLink, NetworkInterface> {
  const found = new Map<ObservedLink, NetworkInterface>();
  const free = new Set(rows);
  for (const same of SAME) {
    for (const link of links) {
      if (found.has(link)) continue;
      const row = [...free].find((candidate) => same(candidate, link));
      if (!row) continue;
      found.set(link, row);
      free.delete(row);
    }
  }
  return found;
}

const observedOf = ({ ipv4_cidrs, ipv6_cidrs, mtu, link }: ObservedLink): Observed => ({
  ipv4_cidrs,
  ipv6_cidrs,
  mtu,
  link,
});

function observe(row: NetworkInterface, link: ObservedLink): NetworkInterface {
  const { name, mac_address, driver, speed_mbps } = link;
  return { ...row, name, id: name, mac_address, driver, speed_mbps, observed: observedOf(link), present: true };
}

/** A vanished link keeps its row; when another link has its name now, the row gets another name. */
function vanish(row: NetworkInterface, taken: Set<string>): NetworkInterface {
  let name = row.name;
  for (let count = 1; taken.has(name); count += 1) name = `${row.name}-absent${count === 1 ? '' : count}`;
  taken.add(name);
  return { ...row, name, id: name, observed: null, present: false };
}

function observeVlan(
  row: NetworkInterface,
  merged: [NetworkInterface, NetworkInterface][],
  links: readonly ObservedLink[],
): NetworkInterface {
  const parent = merged.find(([before]) => before.name === row.parent_interface)?.[1];
  if (!parent) return { ...row, observed: null, present: false };
  const link = links.find(({ vlan }) => vlan?.parent === parent.name && vlan.id === row.vlan_id);
  return {
    ...row,
    name: `${parent.name}.${row.vlan_id}`,
    parent_interface: parent.name,
    mac_address: parent.mac_address,
    observed: link ? observedOf(link) : null,
    present: parent.present,
  };
}

function freshRow(link: ObservedLink, now: string): NetworkInterface {
  return {
    name: link.name,
    kind: 'physical',
    id: link.name,
    mac_address: link.mac_address,
    driver: link.driver,
    speed_mbps: link.speed_mbps,
    observed: observedOf(link),
    present: true,
    parent_interface: null,
    vlan_id: null,
    ...NO_ROLE,
    mode: 'access',
    mtu: Math.min(Math.max(link.mtu, SMALLEST_MTU), LARGEST_MTU),
    enabled: link.link === 'up',
    access_management_ui_enabled: false,
    revision: 1,
    updated_at: now,
  };
}

/**
 * The first discovery of all: the first link with a global address becomes the management interface and keeps its
 * addresses, so that an effective management UI listener exists before anybody has configured anything.
 */
function electManagement(rows: NetworkInterface[]): void {
  const usable = (texts: string[] | undefined): string => firstKeepable(texts ?? [])?.text ?? '';
  for (const row of rows) {
    const ipv4_cidr = usable(row.observed?.ipv4_cidrs);
    const ipv6_cidr = usable(row.observed?.ipv6_cidrs);
    if (ipv4_cidr === '' && ipv6_cidr === '') continue;
    Object.assign(row, { role: 'management', enabled: true, ipv4_cidr, ipv6_cidr, ipv6_enabled: ipv6_cidr !== '' });
    return;
  }
}
