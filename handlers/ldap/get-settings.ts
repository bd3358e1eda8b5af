// The settings of the directory.
import { ldapSettings } from '../../shared/units/ldap/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(ldapSettings);
