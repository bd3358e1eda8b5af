// The network unit's desired state: which interfaces the appliance configures.

import type { Database } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../interfaces/interface.ts';

export interface NetworkDesired {
  /** Every saved interface, physical ones before their VLANs. */
  interfaces: NetworkInterface[];
}

export async function load(db: Database): Promise<NetworkDesired> {
  return { interfaces: await loadInterfaces(db) };
}

/** Interfaces that the appliance configures: not unused ones, except trunks, which are unused and carry VLANs. */
export function configured({ interfaces }: NetworkDesired): NetworkInterface[] {
  return interfaces.filter((row) => row.role !== 'unused' || row.mode === 'trunk');
}

/** Configured interfaces that are to be up. A VLAN is down with its parent. */
export function enabled(desired: NetworkDesired): NetworkInterface[] {
  const up = new Set(desired.interfaces.filter((row) => row.enabled).map((row) => row.name));
  return configured(desired).filter(
    (row) => up.has(row.name) && (row.parent_interface === null || up.has(row.parent_interface)),
  );
}
