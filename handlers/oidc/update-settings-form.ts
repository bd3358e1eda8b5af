// The form of the settings of the OpenID Connect provider.
import { oidcSettings } from '../../shared/units/oidc/settings.ts';
import { settingsForm } from '../../shared/units/settings-operations.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, oidcSettings);
