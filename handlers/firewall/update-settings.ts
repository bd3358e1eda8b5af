// Changes the settings of the firewall.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { firewallSettings } from '../../shared/services/firewall/settings.ts';

export const operation = updateSettings(firewallSettings);
