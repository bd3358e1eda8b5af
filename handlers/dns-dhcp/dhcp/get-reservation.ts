// One DHCP reservation.
import { getOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = getOperation(dhcpReservations, {
  id: 'getDhcpReservation',
  summary: 'Get a DHCP reservation',
  description: 'One DHCP reservation, with the entity tag that If-Match takes.',
});
