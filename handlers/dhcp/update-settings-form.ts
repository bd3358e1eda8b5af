// The form of the settings of DHCP.
import { dhcpSettings } from '../../shared/units/dns-dhcp/dhcp-settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, dhcpSettings);
