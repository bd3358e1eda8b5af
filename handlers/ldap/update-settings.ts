// Changes the settings of the directory.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { ldapSettings } from '../../shared/services/ldap/settings.ts';

export const operation = updateSettings(ldapSettings);
