// The form of the settings of the time service.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { ntpSettings } from '../../shared/services/ntp/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ntpSettings);
