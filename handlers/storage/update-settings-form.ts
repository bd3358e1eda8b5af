// The form of the settings of ESX storage.

import { settingsForm } from '../../shared/units/settings-operations.ts';
import { storageSettings } from '../../shared/units/storage/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, storageSettings);
