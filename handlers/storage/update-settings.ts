// Changes the settings of ESX storage.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { storageSettings } from '../../shared/services/storage/settings.ts';

export const operation = updateSettings(storageSettings);
