// The button that deletes a Kickstart, on the page that asks for confirmation.
import { deleteForm } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { operation as deleteKickstart } from './delete-kickstart.ts';

export const operation = deleteForm(kickstarts, deleteKickstart, {
  path: '/ui/management/network-boot/kickstarts/{kickstart_id}/delete',
  next: '/ui/management/network-boot/kickstarts',
});
