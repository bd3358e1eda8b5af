// The form of the settings of the appliance's own name resolution.

import { networkSettings } from '../../shared/platform/network/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkSettings);
