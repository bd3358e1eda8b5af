// The form of the settings of the OpenID Connect provider.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { oidcSettings } from '../../shared/services/oidc/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, oidcSettings);
