// The buttons below the list of sources, for those that were chosen.
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(ntpSources);
