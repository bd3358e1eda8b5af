// Changes the settings of the name service.

import { updateSettings } from '../../../shared/appliance/edits/settings-operations.ts';
import { dnsDhcpSettings } from '../../../shared/services/dns-dhcp/settings.ts';

export const operation = updateSettings(dnsDhcpSettings);
