// Changes the settings of network boot.
import { networkBootSettings } from '../../shared/units/network-boot/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(networkBootSettings);
