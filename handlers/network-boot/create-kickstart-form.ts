// The form that creates a Kickstart.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { decodeKickstart } from '../../shared/services/network-boot/kickstart-form.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { operation as createKickstart } from './create-kickstart.ts';

export const operation = createForm(kickstarts, createKickstart, {
  path: '/ui/management/network-boot/kickstarts/new',
  decode: decodeKickstart,
  secret: ['text'],
  done: ({ id }) => ({ location: `/ui/management/network-boot/kickstarts/${encodeURIComponent(id)}` }),
});
