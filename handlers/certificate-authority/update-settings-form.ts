// The form of the settings of the certificate authority.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, certificateAuthoritySettings);
