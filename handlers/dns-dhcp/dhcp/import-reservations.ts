// Reads DHCP reservations from CSV.
import { importOperation } from '../../../shared/platform/units/import-operation.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

export const operation = importOperation(dhcpReservations);
