// The form that edits an NTP source.
import { sourceFields } from '../../shared/services/ntp/source-fields.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { updateForm } from '../forms/collection-form.ts';
import { operation as updateNtpSource } from './update-source.ts';

export const operation = updateForm(ntpSources, updateNtpSource, {
  decode: sourceFields,
});
