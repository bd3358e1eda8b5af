// Changes the settings of the appliance's own name resolution.
import { networkSettings } from '../../shared/units/network/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(networkSettings);
