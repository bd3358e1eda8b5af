// Changes a DHCP scope.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = updateOperation(dhcpScopes, {
  id: 'updateDhcpScope',
  summary: 'Update a DHCP scope',
  description:
    'The rules are those of a new scope. The address family cannot change. Refused with `still_referenced`, naming each of them, when enabled reservations would no longer belong to an enabled scope. Records that reservations registered keep their names when the domain changes, until the reservation is saved with another name or address.',
});
