// Changes the settings of DHCP.

import { updateSettings } from '../../../shared/appliance/edits/settings-operations.ts';
import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';

export const operation = updateSettings(dhcpSettings);
