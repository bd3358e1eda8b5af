// The form of the settings of the time service.
import { ntpSettings } from '../../shared/units/ntp/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ntpSettings);
