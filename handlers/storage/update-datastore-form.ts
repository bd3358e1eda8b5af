// The form that edits a datastore.
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateStorageDatastore } from './update-datastore.ts';

export const operation = updateForm(storageDatastores, updateStorageDatastore, {
  decode: datastoreFields,
});
