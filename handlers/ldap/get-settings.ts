// The settings of the directory.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';

export const operation = getSettings(ldapSettings);
