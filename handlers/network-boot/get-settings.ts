// The settings of network boot.
import { networkBootSettings } from '../../shared/units/network-boot/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(networkBootSettings);
