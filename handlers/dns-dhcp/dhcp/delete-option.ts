// Deletes a DHCP option.
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = deleteOperation(dhcpOptions, {
  id: 'deleteDhcpOption',
  summary: 'Delete a DHCP option',
  description: 'Options of other scopes with the same code stay.',
});
