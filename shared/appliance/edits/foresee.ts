// What deleting a VLAN, or an interface that is gone, would move or meet, for the page that asks before it is done. Reads only.
import type { Blocker } from '../../ground/problems.ts';
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { deletePhysical, deleteVlan } from '../../platform/interfaces/edit.ts';
import { rulesOn } from '../../platform/interfaces/firewall-rules.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { type InterfaceImpact, MOVES_MOST } from '../../platform/interfaces/interface-resource.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { loadSnapshot } from '../../platform/interfaces/refresh/load-snapshot.ts';
import { refresh } from '../../platform/interfaces/refresh/refresh.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';

export interface Foreseen {
  impact: InterfaceImpact;
  /** Why it would be refused, in one sentence; null when it would not. */
  refused: string | null;
  blockers: readonly Blocker[];
}

const NO_IMPACT: InterfaceImpact = {
  changed: [],
  refreshed_units: [],
  moves: [],
  moves_total: 0,
  deselected: [],
  notes: [],
};

/** One to five statements; none when the rules of interfaces alone refuse it. `row` is one of `all`. */
export async function foreseeDeletion(
  db: Database,
  row: NetworkInterface,
  all: readonly NetworkInterface[],
): Promise<Foreseen> {
  let remaining: readonly NetworkInterface[];
  try {
    remaining = row.kind === 'vlan' ? deleteVlan(row, all) : deletePhysical(row, all);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { impact: NO_IMPACT, refused: error.message, blockers: error.members.blockers ?? [] };
  }
  const change = changeBetween(all, remaining);
  if (change === null) return { impact: NO_IMPACT, refused: null, blockers: [] };
  const followed = refresh(await loadSnapshot(db, change, SERVICE_DEPENDENTS), change, SERVICE_DEPENDENTS);
  const { units, moves, deselected, notes } = followed;
  const blockers = row.kind === 'vlan' ? followed.blockers : [...followed.blockers, ...(await rulesOn(db, row))];
  const listed = moves.slice(0, MOVES_MOST);
  const impact = { changed: [], refreshed_units: units, moves: listed, moves_total: moves.length, deselected, notes };
  return { impact, refused: blockers.length > 0 ? 'Something still needs it.' : null, blockers };
}
