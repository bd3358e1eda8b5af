// The form of the settings of the directory.
import { ldapSettings } from '../../shared/units/ldap/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, ldapSettings);
