// The form of the settings of ESX storage.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, storageSettings);
