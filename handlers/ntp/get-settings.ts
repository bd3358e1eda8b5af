// The settings of the time service.
import { ntpSettings } from '../../shared/units/ntp/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(ntpSettings);
