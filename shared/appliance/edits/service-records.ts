// The records of services' host names, after settings were saved.
import type { Clock, Entropy } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { followHostRecords } from '../../platform/interfaces/refresh/host-records.ts';
import { MOUNT_SERVER, mountServer } from '../../platform/interfaces/refresh/mount-server.ts';
import { followRecords } from '../../services/dns-dhcp/refresh-rows.ts';
import { SERVICE_DEPENDENTS } from '../dependents.ts';
import { loadShared } from '../refresh/load-snapshot.ts';

/**
 * Brings the records that the appliance keeps for its services to what is saved of them: one statement, and at most
 * three more when something differs.
 */
export async function followServiceRecords(
  transaction: Transaction,
  shell: { clock: Clock; entropy: Entropy },
): Promise<void> {
  const snapshot = await loadShared(transaction, SERVICE_DEPENDENTS);
  const mounts = mountServer(snapshot.storage, snapshot.datastores);
  const declared = [...SERVICE_DEPENDENTS, MOUNT_SERVER];
  const { writes } = followHostRecords([...snapshot.services, ...mounts], snapshot, declared);
  await followRecords(transaction, shell, writes);
}
