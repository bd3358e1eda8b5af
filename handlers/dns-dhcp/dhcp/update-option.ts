// Changes a DHCP option.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = updateOperation(dhcpOptions, {
  id: 'updateDhcpOption',
  summary: 'Update a DHCP option',
  description: 'The rules are those of a new option. The family of an option of a scope is that of the scope.',
});
