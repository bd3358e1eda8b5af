// The form of the settings of connections to remote machines.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as updateSettings } from './update-settings.ts';

const PAGE = pagePath('remote-settings');

export const operation = formOf(updateSettings, {
  path: PAGE,
  decode: (fields) => ({ allowed_networks: fields.list('allowed_networks') }),
  done: () => ({ location: PAGE, flash: 'The settings are saved. They hold from the next connection on.' }),
});
