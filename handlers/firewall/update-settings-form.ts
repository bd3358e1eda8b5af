// The form of the settings of the firewall.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { firewallSettings } from '../../shared/services/firewall/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, firewallSettings);
