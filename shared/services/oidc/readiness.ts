// What the unit still needs.
import { listeningOnly } from '../../platform/units/readiness.ts';
import { oidcSettings } from './settings.ts';

export const readiness = listeningOnly(oidcSettings);
