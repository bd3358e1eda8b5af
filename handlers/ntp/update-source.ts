// Edits an NTP source.
import { updateOperation } from '../../shared/units/collection-operations.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';

export const operation = updateOperation(ntpSources, {
  id: 'updateNtpSource',
  summary: 'Update an NTP source',
  description: 'The address may change, by the rules of a new source.',
});
