// Lists DHCP scopes.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = listOperation(dhcpScopes, {
  id: 'listDhcpScopes',
  summary: 'List DHCP scopes',
  description: 'DHCP scopes by name, with their subnets and what clients get.',
});
