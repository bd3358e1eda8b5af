// The settings of the appliance's own name resolution.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { networkSettings } from '../../shared/platform/network/settings.ts';

export const operation = getSettings(networkSettings);
