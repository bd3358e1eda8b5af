// The form that edits an NTP source.
import { updateForm } from '../../shared/platform/units/collection-operations.ts';
import { sourceFields } from '../../shared/services/ntp/source-fields.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { operation as updateNtpSource } from './update-source.ts';

export const operation = updateForm(ntpSources, updateNtpSource, {
  path: '/ui/management/ntp/sources/{source_id}',
  decode: sourceFields,
  done: () => ({ location: '/ui/management/ntp' }),
});
