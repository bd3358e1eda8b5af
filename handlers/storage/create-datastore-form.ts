// The form that creates a datastore.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { datastoreFields } from '../../shared/services/storage/datastore-fields.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createStorageDatastore } from './create-datastore.ts';

export const operation = createForm(storageDatastores, createStorageDatastore, {
  path: `${pagePath('datastores')}/new`,
  decode: datastoreFields,
  done: () => ({ location: pagePath('storage') }),
});
