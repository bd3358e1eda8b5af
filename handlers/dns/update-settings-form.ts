// The form of the settings of the name service.
import { dnsDhcpSettings } from '../../shared/units/dns-dhcp/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, dnsDhcpSettings, {
  done: () => ({
    location: '/ui/management/dns',
    flash: 'The settings are saved. The host follows at the next apply.',
  }),
});
