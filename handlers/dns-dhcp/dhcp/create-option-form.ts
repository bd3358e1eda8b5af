// The form that creates a DHCP option.
import { createForm } from '../../../shared/platform/units/collection-operations.ts';
import { optionFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { operation as createDhcpOption } from './create-option.ts';

export const operation = createForm(dhcpOptions, createDhcpOption, {
  path: '/ui/management/dhcp/options/new',
  decode: optionFields,
  done: ({ scope_id }) => ({ location: scope_id ? `/ui/management/dhcp/scopes/${scope_id}` : '/ui/management/dhcp' }),
});
