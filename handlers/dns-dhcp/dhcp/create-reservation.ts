// Creates a DHCP reservation.
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = createOperation(dhcpReservations, {
  id: 'createDhcpReservation',
  summary: 'Create a DHCP reservation',
  description:
    'An enabled reservation belongs to exactly one enabled scope, at an address that a host can have and that is neither the gateway of the scope nor an address of an interface; while there is no scope, an enabled legacy binding counts as one. An address is reserved once, a hardware address once in each family. With `register_dns` the appliance keeps an A or AAAA record while the reservation is enabled: named like the host when its name has a dot, else with the domain of the scope or, without one, that of the name service. The name must be in a managed zone; the same record of another owner, or an alias of the name, refuses it.',
});
