// The button that deletes a DHCP reservation, on the page that asks for confirmation.
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { deleteForm } from '../../forms/collection-form.ts';
import { operation as deleteDhcpReservation } from './delete-reservation.ts';

export const operation = deleteForm(dhcpReservations, deleteDhcpReservation);
