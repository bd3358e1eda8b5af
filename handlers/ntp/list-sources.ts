// Lists the NTP sources.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = listOperation(ntpSources, {
  id: 'listNtpSources',
  summary: 'List NTP sources',
  description: 'The machines that the appliance takes the time from, by address.',
});
