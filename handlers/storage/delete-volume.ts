// Deletes a storage volume.
import { deleteOperation } from '../../shared/units/collection-operations.ts';
import { storageVolumes } from '../../shared/units/storage/volumes.ts';

export const operation = deleteOperation(storageVolumes, {
  id: 'deleteStorageVolume',
  summary: 'Delete a storage volume',
  description:
    'Nothing is erased from the disk. Refused while datastores are kept on it; they are named in the answer.',
});
