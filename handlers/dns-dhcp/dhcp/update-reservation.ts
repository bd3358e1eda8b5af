// Changes a DHCP reservation.
import { updateOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = updateOperation(dhcpReservations, {
  id: 'updateDhcpReservation',
  summary: 'Update a DHCP reservation',
  description:
    'The rules are those of a new reservation; a record that it registered follows its name, address and state. Of a reservation that another part of the appliance keeps, such as an ESXi host, only the description can be changed.',
});
