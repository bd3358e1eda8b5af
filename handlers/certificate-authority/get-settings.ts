// The settings of the certificate authority.
import { certificateAuthoritySettings } from '../../shared/units/certificate-authority/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(certificateAuthoritySettings);
