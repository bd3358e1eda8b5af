// The form that changes the legacy global binding.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { subnetFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { operation as updateLegacyBinding } from './update-legacy-binding.ts';

export const operation = formOf(updateLegacyBinding, {
  path: pagePath('dhcp-legacy-binding'),
  decode: subnetFields,
  done: () => ({ location: pagePath('dhcp'), flash: 'The legacy binding is saved.' }),
});
