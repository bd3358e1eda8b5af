// The button that deletes an NTP source, on the page that asks for confirmation.
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteNtpSource } from './delete-source.ts';

export const operation = deleteForm(ntpSources, deleteNtpSource);
