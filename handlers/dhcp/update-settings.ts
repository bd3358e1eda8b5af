// Changes the settings of DHCP.
import { dhcpSettings } from '../../shared/units/dns-dhcp/dhcp-settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(dhcpSettings);
