// The settings of key management.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { kmsSettings } from '../../shared/services/kms/settings.ts';

export const operation = getSettings(kmsSettings);
