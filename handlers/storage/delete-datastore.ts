// Deletes a datastore.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';

export const operation = deleteOperation(storageDatastores, {
  id: 'deleteStorageDatastore',
  summary: 'Delete a datastore',
  description: 'Nothing is erased from the volume.',
});
