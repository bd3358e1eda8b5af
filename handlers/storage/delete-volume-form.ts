// The button that deletes a storage volume, on the page that asks for confirmation.
import { storageVolumes } from '../../shared/services/storage/volumes.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteStorageVolume } from './delete-volume.ts';

export const operation = deleteForm(storageVolumes, deleteStorageVolume);
