// The form that edits an installer medium.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';
import { operation as updateMedium } from './update-medium.ts';

export const operation = updateForm(bootMedia, updateMedium, {
  path: '/ui/management/network-boot/media/{medium_id}',
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: () => ({ location: '/ui/management/network-boot/media' }),
});
