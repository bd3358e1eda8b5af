// The settings of the OpenID Connect provider.
import { oidcSettings } from '../../shared/units/oidc/settings.ts';
import { getSettings } from '../../shared/units/settings-operations.ts';

export const operation = getSettings(oidcSettings);
