// What follows when rows of an earlier plan are brought back: what others have follows the interfaces, and what was
// brought back follows those that moved since, by the same refresh as an edit of an interface.

import type { Clock, Entropy } from '../../ground/clock.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { refresh } from '../../platform/interfaces/refresh/refresh.ts';
import { OWNER, type Snapshot } from '../../platform/interfaces/refresh/snapshot.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { loadSnapshot } from '../refresh/load-snapshot.ts';
import { saveRefresh } from '../refresh/save-refresh.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export interface Followed {
  /** Values that followed. */
  moves: number;
  units: UnitId[];
  blockers: Blocker[];
}

/** Dependents of some units follow from one set of interfaces to another. Writes nothing when something blocks. */
export async function followInterfaces(
  tx: Transaction,
  shell: Shell,
  concerns: (unit: UnitId) => boolean,
  before: readonly NetworkInterface[],
  after: readonly NetworkInterface[],
): Promise<Followed> {
  const change = changeBetween(before, after);
  if (change === null) return { moves: 0, units: [], blockers: [] };
  const declared = SERVICE_DEPENDENTS.filter(({ unit }) => concerns(unit));
  const snapshot = partOf(await loadSnapshot(tx, change, declared), concerns);
  const { writes, moves, units, blockers } = refresh(snapshot, change, declared);
  if (blockers.length === 0) await saveRefresh(tx, shell, writes);
  return { moves: moves.length, units, blockers };
}

/** The records of services are left out: they are made anew when everything else stands. */
function partOf(snapshot: Snapshot, concerns: (unit: UnitId) => boolean): Snapshot {
  const dhcp = concerns('dns-dhcp');
  return {
    ...snapshot,
    // No plan brings the appliance's own resolvers back, so they always are among what others have.
    ...(concerns('network') && { appliance: { dns_servers: [], management_networks: [] } }),
    scopes: dhcp ? snapshot.scopes : [],
    legacy: dhcp ? snapshot.legacy : null,
    options: dhcp ? snapshot.options : [],
    reservations: dhcp ? snapshot.reservations : [],
    records: dhcp ? snapshot.records.filter(({ owner }) => owner?.source !== OWNER.service) : [],
    zones: new Map(),
    datastores: concerns('storage') ? snapshot.datastores : [],
    ...(!concerns('firewall') && { rules: [] }),
    operators: [],
  };
}

export const inOrder = (units: Iterable<UnitId>): UnitId[] => {
  const all = new Set(units);
  return UNIT_IDS.filter((unit) => all.has(unit));
};
