// Creates a storage volume.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { filesystemOn } from '../../shared/services/storage/known-filesystem.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = createOperation(storageVolumes, {
  id: 'createStorageVolume',
  summary: 'Create a storage volume',
  description:
    'Names a disk by its stable name below /dev/disk/by-id/, whether or not it is attached yet; nothing is formatted; the volume keeps the filesystem that the disk carries by then. It has to be a whole disk, and an apply refuses one that the appliance itself uses. The mount path is below /srv/datastores/. It is neither inside another volume’s mount path, nor does it contain one.',
  prepare: async ({ body }) => ({ ...body, ...(await filesystemOn(String(body.device))) }),
});
