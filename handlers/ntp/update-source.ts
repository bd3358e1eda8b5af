// Edits an NTP source.
import { updateOperation } from '../../shared/platform/units/collection-operations.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = updateOperation(ntpSources, {
  id: 'updateNtpSource',
  summary: 'Update an NTP source',
  description: 'The address may change, by the rules of a new source.',
});
