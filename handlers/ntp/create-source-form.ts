// The form that creates an NTP source.
import { createForm } from '../../shared/units/collection-operations.ts';
import { sourceFields } from '../../shared/units/ntp/source-fields.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';
import { operation as createNtpSource } from './create-source.ts';

export const operation = createForm(ntpSources, createNtpSource, {
  path: '/ui/management/ntp/sources/new',
  decode: sourceFields,
  done: () => ({ location: '/ui/management/ntp' }),
});
