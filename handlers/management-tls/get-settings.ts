// The settings of the management UI's certificate.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';

export const operation = getSettings(managementTlsSettings);
