// The form of the settings of network boot.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { networkBootSettings } from '../../shared/services/network-boot/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkBootSettings);
