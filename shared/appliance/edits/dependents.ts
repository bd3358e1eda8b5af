// What follows when interfaces change: every unit whose desired state names an address or an interface of them. The call
// stands in the transaction of the edit, so that the edit and all that follows it are saved together or not at all.
import type { Clock, Entropy } from '../../ground/clock.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { loadShared, loadSnapshot } from '../../platform/interfaces/refresh/load-snapshot.ts';
import { followObserved, type Renames } from '../../platform/interfaces/refresh/observed.ts';
import { refresh } from '../../platform/interfaces/refresh/refresh.ts';
import { saveRefresh } from '../../platform/interfaces/refresh/save-refresh.ts';
import type { Refresh } from '../../platform/interfaces/refresh/snapshot.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { followServiceRecords } from './service-records.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

/** What followed an edit, as it is audited and answered. */
export type Followed = Pick<Refresh, 'units' | 'moves' | 'deselected' | 'notes'>;

const NOTHING: Followed = { units: [], moves: [], deselected: [], notes: [] };

/** Blockers that one answer lists; beyond them it says how many more there are. */
export const BLOCKERS_MOST = 1000;

/**
 * Brings dependent desired state from one set of interfaces to the next: one to four statements of reading, and one of
 * writing for each table in which something changes, whatever the number of rows. `besides` refuse it with what it finds.
 * @throws Problem 409 `dependents_refuse` naming every blocker, when something still needs what is taken away.
 */
export async function refreshDependents(
  transaction: Transaction,
  shell: Shell,
  before: readonly NetworkInterface[],
  after: readonly NetworkInterface[],
  besides: readonly Blocker[] = [],
): Promise<Followed> {
  const change = changeBetween(before, after);
  if (change === null) return NOTHING;
  const snapshot = await loadSnapshot(transaction, change, SERVICE_DEPENDENTS);
  const { writes, blockers, units, moves, deselected, notes } = refresh(snapshot, change, SERVICE_DEPENDENTS);
  if (blockers.length + besides.length > 0) throw refusal([...blockers, ...besides]);
  await saveRefresh(transaction, shell, writes);
  return { units, moves, deselected, notes };
}

/**
 * What follows a discovery: links under new names and addresses that the network gave. Refuses nothing. `before` are the
 * interfaces as they were, under their old names.
 * @returns Units whose settings changed, in the order of an apply.
 */
export async function followDiscovery(
  transaction: Transaction,
  shell: Shell,
  before: readonly NetworkInterface[],
  renames: Renames,
): Promise<UnitId[]> {
  const snapshot = await loadShared(transaction, SERVICE_DEPENDENTS);
  const rows = await loadInterfaces(transaction);
  const { replaced } =
    changeBetween(
      before.map((row) => renamed(row, renames)),
      rows,
    ) ?? {};
  const { writes, units } = followObserved(snapshot, standings(rows), renames, SERVICE_DEPENDENTS, replaced);
  await saveRefresh(transaction, shell, writes);
  if (writes.services.length > 0) await followServiceRecords(transaction, shell);
  return units;
}

function renamed(row: NetworkInterface, renames: Renames): NetworkInterface {
  const [name, parent] = [row.name, row.parent_interface].map((old) => renames.get(old ?? '') ?? old);
  return { ...row, name: name!, parent_interface: parent ?? null };
}

function refusal(blockers: Blocker[]): Problem {
  const listed = blockers.slice(0, BLOCKERS_MOST);
  const [first] = listed;
  const more = blockers.length - listed.length;
  const others = blockers.length > 1 ? ` ${blockers.length - 1} more refuse it too.` : '';
  const left = more > 0 ? ` The first ${BLOCKERS_MOST} of them are listed.` : '';
  const detail = `${first!.subject} needs what this edit takes away. ${first!.reason}${others}${left} Nothing was saved.`;
  return new Problem('dependents_refuse', detail, { blockers: listed });
}
