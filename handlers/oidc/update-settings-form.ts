// The form of the settings of the OpenID Connect provider.

import { oidcSettings } from '../../shared/services/oidc/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, oidcSettings);
