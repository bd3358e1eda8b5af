// Changes the settings of the time service.
import { ntpSettings } from '../../shared/units/ntp/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(ntpSettings);
