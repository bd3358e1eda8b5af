// The settings of the offline depot.
import { privateCloudServicesSettings } from '../../shared/units/private-cloud-services/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(privateCloudServicesSettings);
