// Changes the settings of the time service.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { ntpSettings } from '../../shared/services/ntp/settings.ts';

export const operation = updateSettings(ntpSettings);
