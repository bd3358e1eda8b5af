// The form of the settings of the appliance's own name resolution.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { networkSettings } from '../../shared/platform/network/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkSettings);
