// The form that creates a datastore.
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createStorageDatastore } from './create-datastore.ts';

export const operation = createForm(storageDatastores, createStorageDatastore, {
  decode: datastoreFields,
});
