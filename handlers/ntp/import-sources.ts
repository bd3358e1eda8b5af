// Reads NTP sources from CSV.
import { importOperation } from '../../shared/platform/units/import-operation.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = importOperation(ntpSources);
