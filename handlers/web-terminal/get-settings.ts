// The settings of the web terminal.

import { getSettings } from '../../shared/units/settings-operations.ts';
import { webTerminalSettings } from '../../shared/units/web-terminal/settings.ts';

export const operation = getSettings(webTerminalSettings);
