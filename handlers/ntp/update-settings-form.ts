// The form of the settings of the time service.

import { ntpSettings } from '../../shared/services/ntp/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ntpSettings);
