// The form that creates a Kickstart.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { decodeKickstart } from '../../shared/services/network-boot/kickstart-form.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createKickstart } from './create-kickstart.ts';

export const operation = createForm(kickstarts, createKickstart, {
  decode: decodeKickstart,
  done: ({ id }) => ({ location: pagePath('kickstart', id) }),
});
