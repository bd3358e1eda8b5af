// The form of the settings of key management.
import { kmsSettings } from '../../shared/units/kms/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, kmsSettings);
