// Creates an NTP source.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = createOperation(ntpSources, {
  id: 'createNtpSource',
  summary: 'Create an NTP source',
  description:
    'The appliance takes the time from its enabled sources; none of them may be the appliance itself. An address is unique, and is stored in canonical form. A pool and a source with NTS are host names.',
});
