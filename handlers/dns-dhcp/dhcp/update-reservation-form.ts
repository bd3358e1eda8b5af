// The form that changes a DHCP reservation.
import { reservationFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { updateForm } from '../../forms/collection-form.ts';
import { operation as updateDhcpReservation } from './update-reservation.ts';

export const operation = updateForm(dhcpReservations, updateDhcpReservation, {
  decode: reservationFields,
});
