// The form of the settings of network boot.

import { networkBootSettings } from '../../shared/services/network-boot/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkBootSettings);
