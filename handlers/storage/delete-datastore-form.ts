// The button that deletes a datastore, on the page that asks for confirmation.
import { deleteForm } from '../../shared/platform/units/collection-operations.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { operation as deleteStorageDatastore } from './delete-datastore.ts';

export const operation = deleteForm(storageDatastores, deleteStorageDatastore, {
  path: '/ui/management/storage/datastores/{datastore_id}/delete',
  next: '/ui/management/storage',
});
