// Edits a storage volume.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = updateOperation(storageVolumes, {
  id: 'updateStorageVolume',
  summary: 'Update a storage volume',
  description:
    'The disk of a volume is fixed: another device answers 409. A changed name leaves the mount path as it is; an empty mount path takes that of the name. Hosts that mount a datastore name the path, so a changed path has to be mounted again.',
});
