// One storage volume.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = getOperation(storageVolumes, {
  id: 'getStorageVolume',
  summary: 'Get a storage volume',
  description: 'The volume with the entity tag that If-Match takes.',
});
