// The form of the settings of the directory.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ldapSettings);
