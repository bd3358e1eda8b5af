// The buttons below the list of Kickstarts, for those that were chosen.
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(kickstarts);
