// The form of the settings of the appliance's own name resolution.
import { networkSettings } from '../../shared/units/network/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, networkSettings);
