// Lists the installer media.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { bootMedia } from '../../shared/services/network-boot/media.ts';

export const operation = listOperation(bootMedia, {
  id: 'listBootMedia',
  summary: 'List installer media',
  description: 'ESXi images that were unpacked on the appliance, or are about to be, by name.',
});
