// Lists the storage volumes.
import { listOperation } from '../../shared/units/collection-operations.ts';
import { storageVolumes } from '../../shared/units/storage/volumes.ts';

export const operation = listOperation(storageVolumes, {
  id: 'listStorageVolumes',
  summary: 'List storage volumes',
  description: 'The disks that datastores are kept on, by name.',
});
