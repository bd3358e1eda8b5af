// The form that edits a Kickstart.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { decodeKickstart } from '../../shared/services/network-boot/kickstart-form.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateKickstart } from './update-kickstart.ts';

export const operation = updateForm(kickstarts, updateKickstart, {
  decode: decodeKickstart,
  done: ({ id }) => ({ location: pagePath('kickstart', id) }),
});
