// The form that edits an installer medium.
import { bootMedia } from '../../shared/services/network-boot/media.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateMedium } from './update-medium.ts';

export const operation = updateForm(bootMedia, updateMedium, {
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
});
