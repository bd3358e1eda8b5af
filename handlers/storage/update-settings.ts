// Changes the settings of ESX storage.

import { updateSettings } from '../../shared/units/settings-operations.ts';
import { storageSettings } from '../../shared/units/storage/settings.ts';

export const operation = updateSettings(storageSettings);
