// Changes the settings of key management.
import { kmsSettings } from '../../shared/units/kms/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(kmsSettings);
