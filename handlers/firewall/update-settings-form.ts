// The form of the settings of the firewall.

import { firewallSettings } from '../../shared/services/firewall/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, firewallSettings);
