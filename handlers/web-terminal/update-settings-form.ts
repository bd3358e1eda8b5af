// The form of the settings of the web terminal.

import { settingsForm } from '../../shared/appliance/edits/settings-operations.ts';
import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, webTerminalSettings);
