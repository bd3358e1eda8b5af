// The settings of DHCP.
import { dhcpSettings } from '../../shared/units/dns-dhcp/dhcp-settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(dhcpSettings);
