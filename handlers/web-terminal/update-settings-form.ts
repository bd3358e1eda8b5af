// The form of the settings of the web terminal.

import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';
import { settingsForm } from '../forms/settings-form.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = settingsForm(updateSettings, webTerminalSettings);
