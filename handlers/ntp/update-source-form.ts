// The form that edits an NTP source.
import { updateForm } from '../../shared/units/collection-operations.ts';
import { sourceFields } from '../../shared/units/ntp/source-fields.ts';
import { ntpSources } from '../../shared/units/ntp/sources.ts';
import { operation as updateNtpSource } from './update-source.ts';

export const operation = updateForm(ntpSources, updateNtpSource, {
  path: '/ui/management/ntp/sources/{source_id}',
  decode: sourceFields,
  done: () => ({ location: '/ui/management/ntp' }),
});
