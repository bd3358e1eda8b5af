// The form that creates a storage volume.
import { storageVolumes } from '../../shared/services/storage/volumes.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createStorageVolume } from './create-volume.ts';

export const operation = createForm(storageVolumes, createStorageVolume, {
  decode: (fields) => ({
    name: fields.text('name'),
    device: fields.text('device'),
    mount_path: fields.optional('mount_path'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
});
