// Changes the settings of the OpenID Connect provider.
import { oidcSettings } from '../../shared/units/oidc/settings.ts';
import { updateSettings } from '../../shared/units/settings-operations.ts';

export const operation = updateSettings(oidcSettings);
