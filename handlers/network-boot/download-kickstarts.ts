// The Kickstarts of the list as a CSV file.
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(kickstarts, { of: 'kickstart' });
