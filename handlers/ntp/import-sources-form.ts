// The form that reads NTP sources from CSV.
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { importForm } from '../forms/import-form.ts';
import { operation as importNtpSources } from './import-sources.ts';

export const operation = importForm(ntpSources, importNtpSources);
