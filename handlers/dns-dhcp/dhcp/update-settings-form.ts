// The form of the settings of DHCP.

import { settingsForm } from '../../../shared/appliance/edits/settings-operations.ts';
import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, dhcpSettings);
