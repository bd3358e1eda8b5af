// The form that changes the legacy global binding.
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { subnetFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { operation as updateLegacyBinding } from './update-legacy-binding.ts';

export const operation = defineForm(
  { of: updateLegacyBinding, path: '/ui/management/dhcp/legacy-binding', access: { session: 'write:dhcp' } },
  {
    page: '/ui/management/dhcp/legacy-binding',
    decode: subnetFields,
    done: () => ({ location: '/ui/management/dhcp', flash: 'The legacy binding is saved.' }),
  },
);
