// One datastore.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';

export const operation = getOperation(storageDatastores, {
  id: 'getStorageDatastore',
  summary: 'Get a datastore',
  description: 'The datastore with the entity tag that If-Match takes.',
});
