// The settings of key management.
import { kmsSettings } from '../../shared/units/kms/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(kmsSettings);
