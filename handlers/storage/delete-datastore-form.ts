// The button that deletes a datastore, on the page that asks for confirmation.
import { storageDatastores } from '../../shared/services/storage/datastores.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteStorageDatastore } from './delete-datastore.ts';

export const operation = deleteForm(storageDatastores, deleteStorageDatastore);
