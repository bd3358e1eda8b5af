// What the unit still needs.
import { listeningOnly } from '../../platform/units/readiness.ts';
import { kmsSettings } from './settings.ts';

export const readiness = listeningOnly(kmsSettings);
