// Deletes an NTP source.
import { deleteOperation } from '../../shared/units/collection-operations.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';

export const operation = deleteOperation(ntpSources, {
  id: 'deleteNtpSource',
  summary: 'Delete an NTP source',
  description: 'With the last source gone, the appliance keeps to its own clock.',
});
