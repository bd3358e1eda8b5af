// The settings of ESX storage.

import { getSettings } from '../../shared/units/settings-operations.ts';
import { storageSettings } from '../../shared/units/storage/settings.ts';

export const operation = getSettings(storageSettings);
