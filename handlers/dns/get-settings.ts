// The settings of the name service.
import { dnsDhcpSettings } from '../../shared/units/dns-dhcp/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(dnsDhcpSettings);
