// Deletes a datastore.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = deleteOperation(namedDatastores, {
  id: 'deleteStorageDatastore',
  summary: 'Delete a datastore',
  description: 'Nothing is erased from the volume.',
});
