// The form that edits a datastore.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateStorageDatastore } from './update-datastore.ts';

export const operation = updateForm(storageDatastores, updateStorageDatastore, {
  path: pageRoute('datastore'),
  decode: datastoreFields,
  done: () => ({ location: pagePath('storage') }),
});
