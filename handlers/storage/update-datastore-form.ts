// The form that edits a datastore.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { operation as updateStorageDatastore } from './update-datastore.ts';

export const operation = updateForm(storageDatastores, updateStorageDatastore, {
  path: '/ui/management/storage/datastores/{datastore_id}',
  decode: datastoreFields,
  done: () => ({ location: '/ui/management/storage' }),
});
