// The form that changes a DHCP option.
import { updateForm } from '../../../shared/platform/units/collection-operations.ts';
import { optionFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { operation as updateDhcpOption } from './update-option.ts';

export const operation = updateForm(dhcpOptions, updateDhcpOption, {
  path: '/ui/management/dhcp/options/{option_id}',
  decode: optionFields,
  done: ({ scope_id }) => ({ location: scope_id ? `/ui/management/dhcp/scopes/${scope_id}` : '/ui/management/dhcp' }),
});
