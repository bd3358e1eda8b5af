// The form of the settings of key management.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { kmsSettings } from '../../shared/services/kms/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, kmsSettings);
