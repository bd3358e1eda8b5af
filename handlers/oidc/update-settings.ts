// Changes the settings of the OpenID Connect provider.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { oidcSettings } from '../../shared/services/oidc/settings.ts';

export const operation = updateSettings(oidcSettings);
