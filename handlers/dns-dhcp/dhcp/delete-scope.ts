// Deletes a DHCP scope.
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = deleteOperation(dhcpScopes, {
  id: 'deleteDhcpScope',
  summary: 'Delete a DHCP scope',
  description:
    'Its options go with it. Refused with `still_referenced` while it has enabled reservations that no other enabled scope serves.',
});
