// One DHCP scope.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = getOperation(dhcpScopes, {
  id: 'getDhcpScope',
  summary: 'Get a DHCP scope',
  description: 'One DHCP scope, with the entity tag that If-Match takes.',
});
