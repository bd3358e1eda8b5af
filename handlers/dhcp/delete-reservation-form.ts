// The button that deletes a DHCP reservation, on the page that asks for confirmation.
import { deleteForm } from '../../shared/units/collection-operations.ts';
import { dhcpReservations } from '../../shared/units/dns-dhcp/dhcp/reservations.ts';
import { operation as deleteDhcpReservation } from './delete-reservation.ts';

export const operation = deleteForm(dhcpReservations, deleteDhcpReservation, {
  path: '/ui/management/dhcp/reservations/{reservation_id}/delete',
  next: '/ui/management/dhcp/reservations',
});
