// The form of the settings of the certificate authority.
import { certificateAuthoritySettings } from '../../shared/units/certificate-authority/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, certificateAuthoritySettings);
