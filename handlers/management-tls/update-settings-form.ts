// The form of the settings of the management UI's certificate.

import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, managementTlsSettings);
