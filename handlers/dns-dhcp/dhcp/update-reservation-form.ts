// The form that changes a DHCP reservation.
import { updateForm } from '../../../shared/platform/units/collection-operations.ts';
import { reservationFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { operation as updateDhcpReservation } from './update-reservation.ts';

export const operation = updateForm(dhcpReservations, updateDhcpReservation, {
  path: '/ui/management/dhcp/reservations/{reservation_id}',
  decode: reservationFields,
  done: () => ({ location: '/ui/management/dhcp/reservations' }),
});
