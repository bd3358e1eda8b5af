// The button that deletes a DHCP scope, on the page that asks for confirmation.
import { deleteForm } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { operation as deleteDhcpScope } from './delete-scope.ts';

export const operation = deleteForm(dhcpScopes, deleteDhcpScope, {
  path: '/ui/management/dhcp/scopes/{scope_id}/delete',
  next: '/ui/management/dhcp',
});
