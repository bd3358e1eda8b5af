// The form that edits a Kickstart.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { decodeKickstart } from '../../shared/services/network-boot/kickstart-form.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { operation as updateKickstart } from './update-kickstart.ts';

export const operation = updateForm(kickstarts, updateKickstart, {
  path: '/ui/management/network-boot/kickstarts/{kickstart_id}',
  decode: decodeKickstart,
  secret: ['text'],
  done: ({ id }) => ({ location: `/ui/management/network-boot/kickstarts/${encodeURIComponent(id)}` }),
});
