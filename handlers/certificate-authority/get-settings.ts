// The settings of the certificate authority.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';

export const operation = getSettings(certificateAuthoritySettings);
