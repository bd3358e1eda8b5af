// Changes the settings of the firewall.
import { firewallSettings } from '../../shared/units/firewall/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(firewallSettings);
