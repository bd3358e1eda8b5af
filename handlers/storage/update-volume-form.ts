// The form that edits a storage volume.
import { storageVolumes } from '../../shared/services/storage/volumes.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateStorageVolume } from './update-volume.ts';

export const operation = updateForm(storageVolumes, updateStorageVolume, {
  decode: (fields) => ({
    name: fields.text('name'),
    mount_path: fields.optional('mount_path'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
});
