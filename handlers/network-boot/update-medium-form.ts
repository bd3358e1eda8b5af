// The form that edits an installer medium.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateMedium } from './update-medium.ts';

export const operation = updateForm(bootMedia, updateMedium, {
  path: pageRoute('boot-medium'),
  decode: (fields) => ({
    name: fields.text('name'),
    description: fields.text('description'),
    enabled: fields.checked('enabled'),
  }),
  done: () => ({ location: pagePath('boot-media') }),
});
