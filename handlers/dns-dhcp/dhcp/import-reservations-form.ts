// The form that reads DHCP reservations from CSV.
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { importForm } from '../../forms/import-form.ts';
import { operation as importDhcpReservations } from './import-reservations.ts';

export const operation = importForm(dhcpReservations, importDhcpReservations);
