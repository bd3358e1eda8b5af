// The form of the settings of the name service.

import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dnsDhcpSettings } from '../../../shared/services/dns-dhcp/settings.ts';
import { settingsForm } from '../../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, dnsDhcpSettings, {
  done: () => ({
    location: pagePath('dns'),
    flash: 'The settings are saved. The host follows at the next apply.',
  }),
});
