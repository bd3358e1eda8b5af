// The settings of the name service.

import { getSettings } from '../../../shared/appliance/edits/settings-operations.ts';
import { dnsDhcpSettings } from '../../../shared/services/dns-dhcp/settings.ts';

export const operation = getSettings(dnsDhcpSettings);
