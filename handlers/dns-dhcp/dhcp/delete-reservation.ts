// Deletes a DHCP reservation.
import { deleteOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = deleteOperation(dhcpReservations, {
  id: 'deleteDhcpReservation',
  summary: 'Delete a DHCP reservation',
  description:
    'The record that it registered goes with it. A reservation that another part of the appliance keeps is deleted there.',
});
