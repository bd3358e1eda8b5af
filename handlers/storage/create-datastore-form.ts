// The form that creates a datastore.
import { createForm } from '../../shared/units/collection-operations.ts';
import { datastoreFields } from '../../shared/units/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/units/storage/datastores.ts';
import { operation as createStorageDatastore } from './create-datastore.ts';

export const operation = createForm(storageDatastores, createStorageDatastore, {
  path: '/ui/management/storage/datastores/new',
  decode: datastoreFields,
  done: () => ({ location: '/ui/management/storage' }),
});
