// The form of the settings of ESX storage.

import { storageSettings } from '../../shared/services/storage/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, storageSettings);
