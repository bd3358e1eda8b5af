// Lists the datastores.
import { listOperation } from '../../shared/units/collection-operations.ts';
import { storageDatastores } from '../../shared/units/storage/datastores.ts';

export const operation = listOperation(storageDatastores, {
  id: 'listStorageDatastores',
  summary: 'List datastores',
  description: 'What ESXi hosts can mount, by name.',
});
