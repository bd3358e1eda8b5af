// The settings of ESX storage.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';

export const operation = getSettings(storageSettings);
