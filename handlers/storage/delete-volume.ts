// Deletes a storage volume.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = deleteOperation(storageVolumes, {
  id: 'deleteStorageVolume',
  summary: 'Delete a storage volume',
  description:
    'Nothing is erased from the disk. Refused while datastores are kept on it; they are named in the answer.',
});
