// One DHCP option.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';

export const operation = getOperation(dhcpOptions, {
  id: 'getDhcpOption',
  summary: 'Get a DHCP option',
  description: 'One DHCP option, with the entity tag that If-Match takes.',
});
