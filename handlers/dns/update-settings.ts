// Changes the settings of the name service.
import { dnsDhcpSettings } from '../../shared/units/dns-dhcp/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(dnsDhcpSettings);
