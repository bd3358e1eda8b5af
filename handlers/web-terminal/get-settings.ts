// The settings of the web terminal.

import { getSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';

export const operation = getSettings(webTerminalSettings);
