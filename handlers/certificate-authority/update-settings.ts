// Changes the settings of the certificate authority.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';

export const operation = updateSettings(certificateAuthoritySettings);
