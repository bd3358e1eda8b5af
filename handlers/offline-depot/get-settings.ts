// The settings of the offline depot.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { privateCloudServicesSettings } from '../../shared/services/offline-depot/settings.ts';

export const operation = getSettings(privateCloudServicesSettings);
