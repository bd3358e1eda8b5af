// The form of the settings of the offline depot.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, privateCloudServicesSettings);
