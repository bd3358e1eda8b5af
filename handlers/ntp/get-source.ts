// One NTP source.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';

export const operation = getOperation(ntpSources, {
  id: 'getNtpSource',
  summary: 'Get an NTP source',
  description: 'The source with the entity tag that If-Match takes.',
});
