// Lists the datastores.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageDatastores } from '../../shared/services/storage/datastores.ts';

export const operation = listOperation(storageDatastores, {
  id: 'listStorageDatastores',
  summary: 'List datastores',
  description: 'What ESXi hosts can mount, by name.',
});
