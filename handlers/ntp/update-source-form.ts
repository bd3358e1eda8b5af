// The form that edits an NTP source.
import { updateForm } from '../../shared/units/collection-operations.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';
import { operation as updateNtpSource } from './update-source.ts';

export const operation = updateForm(ntpSources, updateNtpSource, {
  path: '/ui/management/ntp/sources/{source_id}',
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
