// The form that creates a DHCP reservation.
import { reservationFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createDhcpReservation } from './create-reservation.ts';

export const operation = createForm(dhcpReservations, createDhcpReservation, {
  decode: reservationFields,
});
