// The form that creates an NTP source.
import { createForm } from '../../shared/platform/units/collection-operations.ts';
import { sourceFields } from '../../shared/services/ntp/source-fields.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { operation as createNtpSource } from './create-source.ts';

export const operation = createForm(ntpSources, createNtpSource, {
  path: '/ui/management/ntp/sources/new',
  decode: sourceFields,
  done: () => ({ location: '/ui/management/ntp' }),
});
