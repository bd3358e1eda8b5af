// The form of the settings of the web terminal.

import { settingsForm } from '../../shared/units/settings-operations.ts';
import { webTerminalSettings } from '../../shared/units/web-terminal/settings.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, webTerminalSettings);
