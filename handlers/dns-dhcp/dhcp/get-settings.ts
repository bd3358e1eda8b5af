// The settings of DHCP.

import { getSettings } from '../../../shared/appliance/edits/settings-operations.ts';
import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';

export const operation = getSettings(dhcpSettings);
