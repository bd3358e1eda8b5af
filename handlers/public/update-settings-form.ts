// The form of the settings of the public pages.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as updateSettings } from './update-settings.ts';

const PAGE = pagePath('public-settings');

export const operation = formOf(updateSettings, {
  path: PAGE,
  decode: (fields) => ({
    certificate_requests: fields.checked('certificate_requests'),
    directory_passwords: fields.checked('directory_passwords'),
    status: fields.checked('status'),
  }),
  done: () => ({ location: PAGE, flash: 'The settings are saved. The public pages follow them now.' }),
});
