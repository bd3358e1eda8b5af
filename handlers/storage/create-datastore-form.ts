// The form that creates a datastore.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { operation as createStorageDatastore } from './create-datastore.ts';

export const operation = createForm(storageDatastores, createStorageDatastore, {
  path: '/ui/management/storage/datastores/new',
  decode: datastoreFields,
  done: () => ({ location: '/ui/management/storage' }),
});
