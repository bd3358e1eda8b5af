// The button that deletes a DHCP reservation, on the page that asks for confirmation.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteDhcpReservation } from './delete-reservation.ts';

export const operation = deleteForm(dhcpReservations, deleteDhcpReservation, {
  path: `${pageRoute('dhcp-reservation')}/delete`,
  next: pagePath('dhcp-reservations'),
});
