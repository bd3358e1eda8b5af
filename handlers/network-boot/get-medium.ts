// One installer medium.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';

export const operation = getOperation(bootMedia, {
  id: 'getBootMedium',
  summary: 'Get an installer medium',
  description: 'The medium with the entity tag that If-Match takes.',
});
