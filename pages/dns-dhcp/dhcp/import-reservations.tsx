// Reading DHCP reservations from CSV.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { importPage } from '../../units/import-page.tsx';

export const page = importPage(dhcpReservations, [
  { href: pagePath('dhcp'), label: 'DHCP' },
  { href: pagePath('dhcp-reservations'), label: 'Reservations' },
]);
