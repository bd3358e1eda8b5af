// The sources of the list as a CSV file.
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(ntpSources, { of: 'source' });
