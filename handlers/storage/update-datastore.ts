// Edits a datastore.
import { namedDatastores } from '../../shared/appliance/named-datastores.ts';
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';

export const operation = updateOperation(namedDatastores, {
  id: 'updateStorageDatastore',
  summary: 'Update a datastore',
  description:
    'An enabled datastore is held against its interface by the rules of a new one, but an edit of something else never fails because a link has vanished meanwhile. Another name leaves the path as it is; an empty path takes that of the name. Another volume or path moves no files.',
});
