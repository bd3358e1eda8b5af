// The form of the settings of the certificate authority.

import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, certificateAuthoritySettings, {
  done: () => ({
    location: certificateAuthoritySettings.page,
    flash: 'The settings are saved. The portal follows at the next apply; all else holds now.',
  }),
});
