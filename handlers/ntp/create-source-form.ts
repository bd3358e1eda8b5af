// The form that creates an NTP source.
import { sourceFields } from '../../shared/services/ntp/source-fields.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { createForm } from '../forms/collection-form.ts';
import { operation as createNtpSource } from './create-source.ts';

export const operation = createForm(ntpSources, createNtpSource, {
  decode: sourceFields,
});
