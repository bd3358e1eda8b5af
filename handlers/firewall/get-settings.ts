// The settings of the firewall.
import { firewallSettings } from '../../shared/units/firewall/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(firewallSettings);
