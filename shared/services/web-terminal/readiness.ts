// What the unit still needs.
import { listeningOnly } from '../../platform/units/readiness.ts';
import { webTerminalSettings } from './settings.ts';

export const readiness = listeningOnly(webTerminalSettings);
