// Deletes an NTP source.
import { deleteOperation } from '../../shared/platform/units/collection-operations.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = deleteOperation(ntpSources, {
  id: 'deleteNtpSource',
  summary: 'Delete an NTP source',
  description: 'With the last source gone, the appliance keeps to its own clock.',
});
