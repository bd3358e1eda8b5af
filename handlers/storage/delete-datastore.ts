// Deletes a datastore.
import { deleteOperation } from '../../shared/units/collection-operations.ts';
import { storageDatastores } from '../../shared/units/storage/datastores.ts';

export const operation = deleteOperation(storageDatastores, {
  id: 'deleteStorageDatastore',
  summary: 'Delete a datastore',
  description: 'Nothing is erased from the volume.',
});
