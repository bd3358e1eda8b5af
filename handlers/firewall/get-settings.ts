// The settings of the firewall.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { firewallSettings } from '../../shared/services/firewall/settings.ts';

export const operation = getSettings(firewallSettings);
