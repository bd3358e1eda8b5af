// Changes the settings of the web terminal.

import { updateSettings } from '../../shared/units/settings-operations.ts';
import { webTerminalSettings } from '../../shared/units/web-terminal/settings.ts';

export const operation = updateSettings(webTerminalSettings);
