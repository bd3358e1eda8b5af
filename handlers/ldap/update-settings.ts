// Changes the settings of the directory.
import { ldapSettings } from '../../shared/units/ldap/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(ldapSettings);
