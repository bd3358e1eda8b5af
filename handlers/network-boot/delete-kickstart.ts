// Deletes a Kickstart.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';

export const operation = deleteOperation(kickstarts, {
  id: 'deleteKickstart',
  summary: 'Delete a Kickstart',
  description: 'Refused while hosts have it; they are named.',
});
