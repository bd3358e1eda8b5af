// The form that creates a DHCP reservation.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { reservationFields } from '../../../shared/services/dns-dhcp/dhcp/fields.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { createForm } from '../../forms/collection-form.ts';
import { operation as createDhcpReservation } from './create-reservation.ts';

export const operation = createForm(dhcpReservations, createDhcpReservation, {
  path: `${pagePath('dhcp-reservations')}/new`,
  decode: reservationFields,
  done: () => ({ location: pagePath('dhcp-reservations') }),
});
