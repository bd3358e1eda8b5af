// Edits a Kickstart.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';

export const operation = updateOperation(kickstarts, {
  id: 'updateKickstart',
  summary: 'Update a Kickstart',
  description:
    'A new text may ask for no more than the hosts that have this Kickstart can give: those that lack a variable or a field are named. Attempts that are authorized keep to the applied revision; those that wait for their code can not be authorized before the new text is applied.',
});
