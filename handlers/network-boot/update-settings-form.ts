// The form of the settings of network boot.
import { networkBootSettings } from '../../shared/units/network-boot/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkBootSettings);
