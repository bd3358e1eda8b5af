// The form of the settings of key management.

import { kmsSettings } from '../../shared/services/kms/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, kmsSettings);
