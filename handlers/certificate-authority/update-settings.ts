// Changes the settings of the certificate authority.
import { certificateAuthoritySettings } from '../../shared/units/certificate-authority/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(certificateAuthoritySettings);
