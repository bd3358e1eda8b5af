// The button that deletes a DHCP reservation, on the page that asks for confirmation.
import { deleteForm } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { operation as deleteDhcpReservation } from './delete-reservation.ts';

export const operation = deleteForm(dhcpReservations, deleteDhcpReservation, {
  path: '/ui/management/dhcp/reservations/{reservation_id}/delete',
  next: '/ui/management/dhcp/reservations',
});
