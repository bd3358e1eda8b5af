// Datastores, with the records of the name that hosts mount them by: one service follows the other here, so that neither has
// to know the other.
import type { Collection } from '../platform/units/collection.ts';
import { type StorageDatastore, storageDatastores } from '../services/storage/datastores.ts';
import { followServiceRecords } from './edits/service-records.ts';

export const namedDatastores: Collection<StorageDatastore> = {
  ...storageDatastores,
  async saved(tx, after, before, shell) {
    if (String(mountedAt(after)) !== String(mountedAt(before))) await followServiceRecords(tx, shell);
  },
  async deleted(tx, datastore, shell) {
    if (mountedAt(datastore).length > 0) await followServiceRecords(tx, shell);
  },
};

const mountedAt = (datastore: StorageDatastore | null): string[] => (datastore?.enabled ? datastore.addresses : []);
