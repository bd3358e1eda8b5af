// The form that creates an NTP source.
import { createForm } from '../../shared/units/collection-operations.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';
import { operation as createNtpSource } from './create-source.ts';

export const operation = createForm(ntpSources, createNtpSource, {
  path: '/ui/management/ntp/sources/new',
  decode: (fields) => ({
    address: fields.text('address'),
    kind: fields.optional('kind'),
    nts: fields.checked('nts'),
    prefer: fields.checked('prefer'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  }),
  done: () => ({ location: '/ui/management/ntp' }),
});
