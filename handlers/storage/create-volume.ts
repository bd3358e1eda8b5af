// Creates a storage volume.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { filesystemOn } from '../../shared/services/storage/known-filesystem.ts';
import { storageVolumes } from '../../shared/services/storage/volumes.ts';

export const operation = createOperation(storageVolumes, {
  id: 'createStorageVolume',
  summary: 'Create a storage volume',
  description:
    'Names a disk by its stable name below /dev/disk/by-id/, whether or not it is attached yet; nothing is formatted, and the filesystem that it carries by then is the one that the volume is known by. It has to be a whole disk, and an apply refuses one that the appliance itself uses. The mount path lies below /srv/datastores/ and neither inside nor around that of another volume.',
  prepare: async ({ body }) => ({ ...body, ...(await filesystemOn(String(body.device))) }),
});
