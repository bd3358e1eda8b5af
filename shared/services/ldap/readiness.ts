// What the unit still needs.
import { listeningOnly } from '../../platform/units/readiness.ts';
import { ldapSettings } from './settings.ts';

export const readiness = listeningOnly(ldapSettings);
