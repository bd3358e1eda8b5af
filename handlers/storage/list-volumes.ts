// Lists the storage volumes.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = listOperation(storageVolumes, {
  id: 'listStorageVolumes',
  summary: 'List storage volumes',
  description: 'The disks that datastores are kept on, by name.',
});
