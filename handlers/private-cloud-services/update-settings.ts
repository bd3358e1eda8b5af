// Changes the settings of the offline depot.
import { privateCloudServicesSettings } from '../../shared/units/private-cloud-services/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(privateCloudServicesSettings);
