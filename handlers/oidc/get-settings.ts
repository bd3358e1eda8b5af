// The settings of the OpenID Connect provider.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { oidcSettings } from '../../shared/services/oidc/settings.ts';

export const operation = getSettings(oidcSettings);
