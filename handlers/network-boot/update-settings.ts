// Changes the settings of network boot.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { networkBootSettings } from '../../shared/services/network-boot/settings.ts';

export const operation = updateSettings(networkBootSettings);
