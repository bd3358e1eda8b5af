// The button that deletes a Kickstart, on the page that asks for confirmation.
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteKickstart } from './delete-kickstart.ts';

export const operation = deleteForm(kickstarts, deleteKickstart);
