// The form of the settings of the firewall.
import { firewallSettings } from '../../shared/units/firewall/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, firewallSettings);
