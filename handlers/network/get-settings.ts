// The settings of the appliance's own name resolution.
import { networkSettings } from '../../shared/units/network/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(networkSettings);
