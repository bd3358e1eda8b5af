// The form of the settings of the directory.

import { ldapSettings } from '../../shared/services/ldap/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ldapSettings);
