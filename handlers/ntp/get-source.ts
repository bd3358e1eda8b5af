// One NTP source.
import { getOperation } from '../../shared/units/collection-operations.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';

export const operation = getOperation(ntpSources, {
  id: 'getNtpSource',
  summary: 'Get an NTP source',
  description: 'The source with the entity tag that If-Match takes.',
});
