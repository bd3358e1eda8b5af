// Changes the settings of the offline depot.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';

export const operation = updateSettings(privateCloudServicesSettings);
