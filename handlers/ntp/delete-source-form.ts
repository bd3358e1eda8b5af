// The button that deletes an NTP source, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteNtpSource } from './delete-source.ts';

export const operation = deleteForm(ntpSources, deleteNtpSource, {
  path: `${pageRoute('ntp-source')}/delete`,
  next: pagePath('ntp'),
});
