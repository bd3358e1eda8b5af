// The settings of network boot.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { networkBootSettings } from '../../shared/services/network-boot/settings.ts';

export const operation = getSettings(networkBootSettings);
