// The network unit's desired state: which interfaces the appliance configures, and the flat view of what they get.

import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../interfaces/interface.ts';
import { effectiveManagementListeners } from '../interfaces/management-listener.ts';
import type { Entries } from '../units/unit.ts';

export interface NetworkDesired {
  /** Every saved interface, physical ones before their VLANs. */
  interfaces: NetworkInterface[];
}

export async function load(db: Database): Promise<NetworkDesired> {
  return { interfaces: await loadInterfaces(db) };
}

/** What the appliance configures. An unused interface is left as it is; a trunk is unused and yet carries its VLANs. */
export function configured({ interfaces }: NetworkDesired): NetworkInterface[] {
  return interfaces.filter((row) => row.role !== 'unused' || row.mode === 'trunk');
}

/** Those of them that are to be up. A VLAN is down with its parent. */
export function enabled(desired: NetworkDesired): NetworkInterface[] {
  const up = new Set(desired.interfaces.filter((row) => row.enabled).map((row) => row.name));
  return configured(desired).filter(
    (row) => up.has(row.name) && (row.parent_interface === null || up.has(row.parent_interface)),
  );
}

export const ROUTER_ADVERTISEMENTS = 'from router advertisements';

/** Setting → its value, or null where the interface has nothing to say about it. In the order of the review. */
const SETTINGS: readonly (readonly [string, (row: NetworkInterface, exposed: Set<string>) => string | null])[] = [
  ['role', (row) => (row.mode === 'trunk' ? null : row.role)],
  ['mode', (row) => (row.kind === 'physical' ? row.mode : null)],
  ['vlan', (row) => (row.kind === 'vlan' ? `${row.vlan_id} on ${row.parent_interface}` : null)],
  ['ipv4_method', (row) => (row.ipv4_method === 'dhcp' ? 'dhcp' : null)],
  ['ipv4_cidr', (row) => row.ipv4_cidr || null],
  ['ipv4_gateway', (row) => row.ipv4_gateway || null],
  ['ipv6_cidr', (row) => row.ipv6_cidr || (row.ipv6_enabled ? ROUTER_ADVERTISEMENTS : null)],
  ['ipv6_gateway', (row) => row.ipv6_gateway || null],
  ['mtu', (row) => String(row.mtu)],
  ['management_ui', (row, exposed) => (exposed.has(row.name) ? 'exposed' : null)],
];

/** `ens192 ipv4_cidr` → `10.0.0.1/24`. A disabled interface says `enabled` → `no` and nothing else. */
export function entries(desired: NetworkDesired): Entries {
  const up = new Set(enabled(desired));
  const exposed = new Set(effectiveManagementListeners(desired.interfaces).map((listener) => listener.interface));
  const flat = new Map<string, string>();
  for (const row of configured(desired)) {
    flat.set(`${row.name} enabled`, up.has(row) ? 'yes' : 'no');
    if (!up.has(row)) continue;
    for (const [setting, read] of SETTINGS) {
      const value = read(row, exposed);
      if (value !== null) flat.set(`${row.name} ${setting}`, value);
    }
  }
  return flat;
}

/** Entries taken apart again: interface → setting → value. */
export function byInterface(flat: Entries | null): Map<string, Map<string, string>> {
  const interfaces = new Map<string, Map<string, string>>();
  for (const [key, value] of flat ?? []) {
    const space = key.indexOf(' ');
    const name = key.slice(0, space);
    const settings = interfaces.get(name) ?? new Map<string, string>();
    interfaces.set(name, settings.set(key.slice(space + 1), value));
  }
  return interfaces;
}
