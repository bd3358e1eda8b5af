// The form that creates a DHCP reservation.
import { createForm } from '../../../shared/platform/units/collection-operations.ts';
import { reservationFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { operation as createDhcpReservation } from './create-reservation.ts';

export const operation = createForm(dhcpReservations, createDhcpReservation, {
  path: '/ui/management/dhcp/reservations/new',
  decode: reservationFields,
  done: () => ({ location: '/ui/management/dhcp/reservations' }),
});
