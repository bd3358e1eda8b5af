// The form of the settings of the offline depot.
import { privateCloudServicesSettings } from '../../shared/units/private-cloud-services/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, privateCloudServicesSettings);
