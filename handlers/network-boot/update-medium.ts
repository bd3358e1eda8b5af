// Edits an installer medium: what people call it, and whether hosts can be given it.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';

export const operation = updateOperation(bootMedia, {
  id: 'updateBootMedium',
  summary: 'Update an installer medium',
  description: 'Its content never changes: for another image, create another medium and give it to the hosts.',
});
