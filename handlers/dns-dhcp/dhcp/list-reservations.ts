// Lists DHCP reservations.
import { listOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = listOperation(dhcpReservations, {
  id: 'listDhcpReservations',
  summary: 'List DHCP reservations',
  description: 'DHCP reservations by host name.',
});
