// Changes the settings of the web terminal.

import { updateSettings } from '../../shared/appliance/edits/settings-operations.ts';
import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';

export const operation = updateSettings(webTerminalSettings);
