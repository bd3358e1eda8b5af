// The settings of the time service.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { ntpSettings } from '../../shared/services/ntp/settings.ts';

export const operation = getSettings(ntpSettings);
