// What follows when a discovery finds interfaces other than they were: every unit whose desired state names one of them.
import type { Clock, Entropy } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changeBetween } from '../../platform/interfaces/refresh/change.ts';
import { followObserved, type Renames } from '../../platform/interfaces/refresh/observed.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { loadShared } from '../refresh/load-snapshot.ts';
import { saveRefresh } from '../refresh/save-refresh.ts';
import { followServiceRecords } from './service-records.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
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
  if (writes.services.length + writes.datastores.length > 0) await followServiceRecords(transaction, shell);
  return units;
}

function renamed(row: NetworkInterface, renames: Renames): NetworkInterface {
  const [name, parent] = [row.name, row.parent_interface].map((old) => renames.get(old ?? '') ?? old);
  return { ...row, name: name!, parent_interface: parent ?? null };
}
