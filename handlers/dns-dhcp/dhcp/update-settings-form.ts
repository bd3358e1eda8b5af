// The form of the settings of DHCP.

import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';
import { settingsForm } from '../../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, dhcpSettings);
