// Changes the settings of key management.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { kmsSettings } from '../../shared/services/kms/settings.ts';

export const operation = updateSettings(kmsSettings);
