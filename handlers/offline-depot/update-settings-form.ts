// The form of the settings of the offline depot.

import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, privateCloudServicesSettings);
